import { findCustomer } from "../../customers/find-customer.ts";
import type { Tx } from "../../db/pool.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { holdPoints } from "../../ledger/holds/hold-points.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";

export interface NewReservation {
  /** Storefront id or e-mail. */
  readonly customer: string;
  readonly points: bigint;
  readonly ttlSeconds: number;
  readonly appReference: string;
}

/** Reserves points of a customer for a time. Throws `customer_not_found`, `ambiguous_email`, `negative_balance`. */
export async function reservePoints(tx: Tx, deps: PostingDeps, { customer, ...input }: NewReservation): Promise<Hold> {
  return holdPoints(tx, deps, { ...input, customer: await findCustomer(tx, customer) });
}
