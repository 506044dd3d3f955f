import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readProgram } from "../program/read-program.ts";
import { expiringText, metricsOf, NO_METRICS, rulesText } from "./customer-metrics.ts";
import { selectBalances, selectCustomerMetrics, selectMetricsState } from "./customer-queries.ts";
import { START } from "./rollup.ts";

// Balances whose dates may have changed without an allotment (the end of a hold, a merge of an empty balance) are left to the daily walk.
const PAGE = `select b.bucket,
  b.customer_uid as "customerUid"
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
left join figure_large f on f.bucket = b.bucket and f.customer_uid = b.customer_uid and f.is_due
left join (
  select distinct merged_into
  from balance
  where merged_into is not null) m on m.merged_into = b.customer_uid
where (b.bucket, b.customer_uid) > ($1::smallint, $2::uuid)
  and b.merged_into is null
  and c.deleted_at is null
  and coalesce(b.last_allotted_at, '-infinity') < $3
  and f.bucket is null
  and m.merged_into is null
  and not exists (select from reservation r where r.bucket = b.bucket and r.customer_uid = b.customer_uid)
order by b.bucket, b.customer_uid
limit $4`;
const ROWS = 5_000;
const DIFFERENCES_MAX = 1_000;

/**
 * Compares the stored metrics of each customer with the present balance, where the balance has not changed since they were calculated.
 * Returns the differences; none while all balances are being recalculated under new settings.
 */
export async function verifyCustomers(tx: Tx): Promise<string[]> {
  const [state, { expiration, store }] = await Promise.all([selectMetricsState(tx), readProgram(tx)]);
  const rules = { ...expiration, timeZone: store.timeZone };
  if (!state.isComplete || state.allottedAt === null || state.rules !== rulesText(rules)) return [];
  const differences: string[] = [];
  let after: CustomerRef = { bucket: -1, customerUid: START.allotmentUid };
  for (;;) {
    const page: CustomerRef[] = await tx.query(PAGE, [after.bucket, after.customerUid, state.allottedAt, ROWS]);
    const [balances, counted] = await Promise.all([
      selectBalances(tx, page, { isSliding: false }), // each lot with its own date; the sums have to equal their total
      selectCustomerMetrics(tx, page),
    ]);
    for (const { customerUid } of page) {
      const balance = balances.get(customerUid);
      const is = balance === undefined ? NO_METRICS : metricsOf(balance, rules);
      const was = counted.get(customerUid) ?? NO_METRICS;
      const [isText, wasText] = [is, was].map(
        ({ activeOn, expiring, pointsClass }) => `${activeOn} ${expiringText(expiring)} of class ${pointsClass}`,
      );
      if (isText !== wasText) differences.push(`customer ${customerUid} stands at ${isText}, counted is ${wasText}`);
    }
    const last = page.at(-1);
    if (page.length < ROWS || last === undefined || differences.length > DIFFERENCES_MAX) return differences;
    after = last;
  }
}
