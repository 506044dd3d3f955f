import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { selectOverdueCustomer } from "../../ledger/hold-queries.ts";
import { postDue } from "../../ledger/post-due.ts";
import type { PostingDeps } from "../../ledger/posting-batch.ts";
import { runEach } from "../../orders/run-each.ts";

/**
 * Writes down that reservations are over whose time has passed, a customer a transaction; several nodes may do so at once. They
 * count as released from that time on, whether or not this has run. Returns for how many customers.
 */
export async function releaseDueReservations(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  return runEach<CustomerRef>(deps, {
    what: "releasing a customer's reservations",
    idOf: ({ customerUid }) => customerUid,
    lockNext: (tx, seen) => selectOverdueCustomer(tx, deps.clock.now(), seen),
    work: async (tx: Tx, customer) => void (await postDue(tx, deps, [customer])),
  });
}
