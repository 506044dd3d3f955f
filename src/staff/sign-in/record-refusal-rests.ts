import { recordAction } from "../../audit/record-action.ts";
import { hourOf, OTHER_ADDRESSES } from "../../credentials/auth-failures.ts";
import type { Deps } from "../../deps.ts";
import { claimRests, deleteRecorded } from "./refusal-queries.ts";
import { countFields } from "./refusals.ts";

/**
 * Records in the audit log how many refused sign-ins of hours that are over have no entry yet, by person and address, and deletes their counts.
 * Returns how many entries were written.
 */
export async function recordRefusalRests(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  const hour = hourOf(deps.clock.now());
  return deps.db.tx(async (tx) => {
    const rests = await claimRests(tx, hour);
    for (const { subject, address, failures, ...rest } of rests) {
      const isOfOthers = address === OTHER_ADDRESSES;
      await recordAction(tx, deps, {
        action: "staff.sign_in_failed",
        subject: { kind: "staff", id: subject },
        after: { ...countFields(failures, isOfOthers), hour: rest.hour.toString() },
        ...(isOfOthers ? {} : { address }),
      });
    }
    await deleteRecorded(tx, hour);
    return rests.length;
  });
}
