import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { writeOffExpired } from "../../ledger/expiry/write-off-expired.ts";
import { selectOverdueCustomer } from "../../ledger/holds/hold-queries.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { runEach } from "../../orders/run-each.ts";

/**
 * Records that reservations whose time has passed are over, one customer per transaction; several nodes may do so at once. They count as
 * released from that time on, whether or not this has run. Returns for how many customers reservations were released.
 */
export async function releaseDueReservations(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<CustomerRef>(deps, {
    what: "releasing a customer's reservations",
    idOf: ({ customerUid }) => customerUid,
    lockNext: (tx, seen) => selectOverdueCustomer(tx, deps.clock.now(), seen),
    work: async (tx: Tx, customer) => void (await writeOffExpired(tx, deps, [customer])),
  });
}
