import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { type Fault, invalid, Problem } from "../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import type { EditableField } from "../wire/profile-fields.ts";
import { JOINS_HOLDER, joinsHolder, lockEmails } from "./claim-queries.ts";
import type { CustomerRow } from "./customer.ts";
import { selectCustomer } from "./customer-queries.ts";
import { findCustomer } from "./find-customer.ts";
import type { UpsertResult } from "./profile/patched-customers.ts";
import { type EditableValues, patchOfValues, platformFields, sameValues, valuesOf } from "./profile/profile-edit.ts";
import { isBirthday } from "./profile/profile-texts.ts";
import { upsertCustomer } from "./upsert-customer.ts";

/** The changes that a person makes to a customer; an absent field stays. */
export interface ProfileEdit {
  readonly changes: Partial<EditableValues>;
  /** The values of those fields that the person saw. */
  readonly seen: Partial<EditableValues>;
}

/**
 * Changes a customer by hand, like `PUT /customers/:id`: only fields that the platform has never stated (decision 57), and only if they
 * still have the values that the person saw. The audit log names the fields and not their values, which are erased with the person. The
 * customer's balance stays locked until the transaction ends. Throws `customer_not_found`, `ambiguous_email`, and `invalid` naming the fields.
 */
export async function editCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  named: string,
  { changes, seen }: ProfileEdit,
): Promise<UpsertResult> {
  const found = await findCustomer(tx, named);
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  await lockLiveBalances(tx, [found]);
  const stored = await selectCustomer(tx, found);
  if (stored === undefined) throw new Error(`customer ${found.customerUid} has no row`);
  const faults = faultsOf(stored, { changes, seen });
  if (faults.length > 0) throw new Problem("invalid", { faults });
  if (typeof changes.email === "string") await checkEmail(tx, stored, changes.email.toLowerCase());
  const edited = await upsertCustomer(tx, deps, patchOfValues(stored.storefrontId, changes));
  if (edited.changed.length > 0) {
    const subject = { kind: "customer", id: edited.customer.storefrontId };
    await recordAction(tx, deps, { action: "customer.edited", subject, after: { fields: edited.changed } });
  }
  return edited;
}

/** Refuses an address that would cause a merge: a merge moves points, which not everybody who edits may do. */
async function checkEmail(tx: Tx, { email, storefrontId }: CustomerRow, entered: string): Promise<void> {
  if (entered === email) return;
  await lockEmails(tx, [entered]);
  if (await joinsHolder(tx, entered, storefrontId)) throw invalid("/changes/email", JOINS_HOLDER);
}

function faultsOf(stored: CustomerRow, { changes, seen }: ProfileEdit): Fault[] {
  const owned = platformFields(stored);
  const values = valuesOf(stored);
  // cast: the keys of the changes are fields
  return (Object.keys(changes) as EditableField[]).flatMap((field): Fault[] => {
    const pointer = `/changes/${field}`;
    if (changes[field] === undefined) return [];
    if (owned.includes(field)) return [{ pointer, detail: "is kept by the store's platform: change it there" }];
    if (seen[field] === undefined)
      return [{ pointer: `/seen/${field}`, detail: "is required: expected what was shown" }];
    if (!sameValues(seen[field], values[field]))
      return [{ pointer, detail: "was changed meanwhile: load the page anew" }];
    if (field === "birthday" && typeof changes.birthday === "string" && !isBirthday(changes.birthday))
      return [{ pointer, detail: "expected a date that exists, as YYYY-MM-DD or --MM-DD" }];
    return [];
  });
}
