import type { Deps } from "../deps.ts";
import { STAND_IN_VERSION } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";

const COUNTED_MAX = 10_001;

const COUNT = `select count(*) as orders
from (
  select
  from store_order
  where state = 'other_currency'
  limit ${COUNTED_MAX}) o`;

/**
 * Logs how many orders wait for a program: until a person applies one, orders in another currency than the stand-in's earn nothing. Returns
 * their number, up to 10,001.
 */
export async function logWaitingOrders(deps: Pick<Deps, "db" | "log">): Promise<number> {
  const program = await readProgram(deps.db);
  if (program.version !== STAND_IN_VERSION) return 0;
  const [counted] = await deps.db.query<{ orders: bigint }>(COUNT);
  const orders = Number(counted?.orders ?? 0n);
  if (orders > 0) {
    const { currency } = program.store;
    deps.log.warn(
      { orders, currency },
      "orders in another currency wait until a program is applied: pointkeeper program apply, or the dashboard",
    );
  }
  return orders;
}
