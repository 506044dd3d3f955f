import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { JOINS_HOLDER, joinsHolder, lockEmails } from "./claim-queries.ts";
import type { CustomerRow } from "./customer.ts";
import { selectByEmail, selectByStorefrontId } from "./customer-queries.ts";
import { isMemberId, memberIdOf } from "./member-id.ts";
import { type EditableValues, patchOfValues } from "./profile/profile-edit.ts";
import { ID_BYTES_MAX, ID_LENGTH_MAX, isBirthday, isShortId } from "./profile/profile-texts.ts";
import { upsertCustomer } from "./upsert-customer.ts";

/** A customer whom a person enters. */
export interface EnteredCustomer {
  /** The form's uid: if the form is sent again without an id, it is the same customer. */
  readonly requestUid: string;
  /** The platform's id; null: the shop has none. */
  readonly id: string | null;
  /** An absent field is unknown. */
  readonly profile: Partial<EditableValues>;
  /** Whether somebody else may have the same e-mail address. */
  readonly sharesEmail: boolean;
}

/**
 * Creates a customer by hand, by the rules of `PUT /customers/:id`: under the platform's id, or only by e-mail address, as a member who is
 * merged with the platform's customer of this address once there is one. Never changes an existing customer. The audit log names the fields
 * that were entered and not their values. Throws `invalid` naming the field.
 */
export async function createByHand(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  entered: EnteredCustomer,
): Promise<CustomerRow> {
  const { id, requestUid, profile } = entered;
  const email = profile.email?.toLowerCase() ?? null;
  if (typeof profile.birthday === "string" && !isBirthday(profile.birthday))
    throw invalid("/profile/birthday", "expected a date that exists, as YYYY-MM-DD or --MM-DD");
  const storefrontId = id === null ? memberId(email, requestUid) : platformId(id);
  if (email !== null) await lockEmails(tx, [email]);
  const existing = await selectByStorefrontId(tx, storefrontId);
  if (existing !== undefined && id === null) return existing;
  if (existing !== undefined) throw takenId();
  if (email !== null) await checkHolders(tx, email, entered);
  const { customer, created } = await upsertCustomer(tx, deps, patchOfValues(storefrontId, profile));
  if (!created) throw takenId();
  const subject = { kind: "customer", id: storefrontId };
  await recordAction(tx, deps, { action: "customer.created", subject, after: { fields: Object.keys(profile) } });
  return customer;
}

function takenId() {
  return invalid("/id", "another customer has or had this id");
}

function memberId(email: string | null, requestUid: string): string {
  if (email === null) throw invalid("/id", "expected an id or an e-mail address");
  return memberIdOf(email, requestUid);
}

function platformId(id: string): string {
  if (id.includes("@") || isMemberId(id)) throw invalid("/id", "expected the platform's id, not an e-mail address");
  if (isShortId(id)) return id;
  throw invalid("/id", `expected an id of at most ${ID_LENGTH_MAX} characters and ${ID_BYTES_MAX} bytes`);
}

async function checkHolders(tx: Tx, email: string, { id, sharesEmail }: EnteredCustomer): Promise<void> {
  const [holder] = await selectByEmail(tx, email);
  // a member known only by e-mail would be merged with the holder at once
  if (holder === undefined) return;
  if (!sharesEmail || id === null) throw invalid("/profile/email", "another customer has this e-mail address");
  // the member's points would be moved too, whatever the person's allowance
  if (await joinsHolder(tx, email, id)) throw invalid("/profile/email", JOINS_HOLDER);
}
