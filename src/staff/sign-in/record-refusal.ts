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
 * An unknown e-mail is not stored, because it may be a password. Call it outside every transaction.
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
  if (!isEntryDue(refusals)) return;
  const isOfOthers = refusals.address === OTHER_ADDRESSES;
  const subject = { kind: "staff", id: refusals.subject };
  await runAs(isOfOthers ? { ...actor, address: null } : actor, () =>
    deps.db.tx(async (tx) => {
      const failures = await claimRefusals(tx, refusals);
      if (failures === 0n) return;
      const fields = { ...after, ...countFields(failures, isOfOthers) };
      const said = Object.keys(fields).length === 0 ? {} : { after: fields };
      await recordAction(tx, deps, { action: "staff.sign_in_failed", subject, ...said });
      if (hasLocked) await recordAction(tx, deps, { action: "staff.locked_out", subject });
    }),
  );
}
