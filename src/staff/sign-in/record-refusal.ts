import { type Actor, runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import { hourOf, OTHER_ADDRESSES } from "../../credentials/auth-failures.ts";
import type { Deps } from "../../deps.ts";
import { addressKey } from "../../http/address-key.ts";
import { claimRefusals, countRefusal } from "./refusal-queries.ts";
import { countFields, isEntryDue, UNKNOWN_PERSON } from "./refusals.ts";

/** A sign-in that was refused. */
export interface RefusedSignIn {
  /** The uid of the person; null: nobody whom the service knows. */
  readonly staffUid: string | null;
  /** Who acts in the entry. */
  readonly actor: Actor & { readonly address: string };
  /** What the entry says besides. */
  readonly after?: object;
  /** Whether it caused a lockout. */
  readonly hasLocked?: boolean;
}

/**
 * Records a refused sign-in. The audit log, which is kept for ever, has an entry of each of the first five of an hour for a person and an address,
 * then one whenever their number has doubled, and of at most 20 addresses: anybody may send wrong passwords (`record-refusal-rests` adds the rest).
 * Each lockout of a known person has an entry, with its address: no attempt counts under a lock, so an attack from many addresses makes at most one a
 * minute. An unknown e-mail is not stored, because it may be a password. Call it outside every transaction.
 */
export async function recordRefusal(
  deps: Pick<Deps, "db" | "clock">,
  { staffUid, actor, after = {}, hasLocked = false }: RefusedSignIn,
): Promise<void> {
  const refusals = await countRefusal(deps.db, {
    hour: hourOf(deps.clock.now()),
    subject: staffUid ?? UNKNOWN_PERSON,
    address: addressKey(actor.address),
  });
  const isDue = isEntryDue(refusals);
  const isKnownLocked = hasLocked && staffUid !== null;
  if (!isDue && !isKnownLocked) return;
  const isOfOthers = refusals.address === OTHER_ADDRESSES;
  const subject = { kind: "staff", id: refusals.subject };
  await runAs(isOfOthers ? { ...actor, address: null } : actor, () =>
    deps.db.tx(async (tx) => {
      const failures = isDue ? await claimRefusals(tx, refusals) : 0n; // 0: another request has recorded this one
      if (failures > 0n) {
        const fields = { ...after, ...countFields(failures, isOfOthers) };
        const said = Object.keys(fields).length === 0 ? {} : { after: fields };
        await recordAction(tx, deps, { action: "staff.sign_in_failed", subject, ...said });
      }
      const from = isKnownLocked ? { address: actor.address } : {};
      if (isKnownLocked || (hasLocked && failures > 0n))
        await recordAction(tx, deps, { action: "staff.locked_out", subject, ...from });
    }),
  );
}
