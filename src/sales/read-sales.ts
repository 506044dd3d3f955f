import type { Queryable } from "../db/pool.ts";
import type { Log } from "../deps.ts";
import { refOf } from "../ledger/customer-ref.ts";
import { decodeFacts } from "../orders/facts/order-facts.ts";
import { decodeRules } from "../orders/plan/order-rules.ts";
import type { Program } from "../program/program.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { type Sale, saleOf } from "./sale.ts";
import { type CountedOrderRow, selectCountedOrders } from "./sale-queries.ts";

/** The present sales of orders, by order; an order that does not count is missing. An unreadable order is logged and does not count. */
export async function readSales(
  queryable: Queryable,
  { log }: { readonly log: Log },
  orderIds: readonly string[],
  tracked: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sale>> {
  const rows = await selectCountedOrders(queryable, orderIds);
  const programs = new Map<number, Program>();
  const sales = new Map<string, Sale>();
  for (const row of rows) {
    try {
      const sale = await saleOfRow(queryable, row, programs, tracked);
      if (sale !== null) sales.set(row.orderId, sale);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      log.error({ orderId: row.orderId, error }, "an order could not be counted");
    }
  }
  return sales;
}

async function saleOfRow(
  queryable: Queryable,
  { orderId, customerUid, at, points, awarded, ...stored }: CountedOrderRow,
  programs: Map<number, Program>,
  tracked: ReadonlySet<string>,
): Promise<Sale | null> {
  const facts = decodeFacts(stored.facts);
  const rules = decodeRules(stored.rules);
  const program = programs.get(rules.programVersion) ?? (await readProgramVersion(queryable, rules.programVersion));
  programs.set(rules.programVersion, program);
  const customer = customerUid === null ? null : refOf(customerUid);
  return saleOf({ orderId, customer, at, facts, rules, program, points, awarded }, tracked);
}
