import { POINTS_MAX } from "./allotment-types.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { type Posting, plainPosting } from "./posting.ts";

/** Who tells that a deleted customer's points go, and why they go later than at the deletion itself. */
export interface WriteOff {
  readonly appReference: string;
  /** The uid of the hold that kept them, or of the customer who was merged into the deleted one; null: the deletion itself. */
  readonly after: string | null;
}

/** Takes all that is available of a deleted customer (type `deletion`, program.md 3): once a reason. */
export function writeOffPosting(
  uid: string,
  { customerUid }: Pick<CustomerRef, "customerUid">,
  { appReference, after }: WriteOff,
): Posting {
  const change = { kind: "add", pointValue: -POINTS_MAX, shortfall: "cap" } as const;
  const key = `deletion/${customerUid}`;
  return {
    ...plainPosting(uid, "deletion", appReference, change),
    sourceKey: after === null ? key : `${key}/${after}`,
  };
}
