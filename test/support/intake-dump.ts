import { expect } from "vitest";
import { processNextReceipt } from "../../src/intake/process-next-receipt.ts";
import { selectDueSubjects } from "../../src/intake/receipt-queries.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { TIER_CHECKS } from "../../src/tiers/tier-checks.ts";
import type { IntakeService } from "./intake.ts";

/** Processes the first due receipt of every subject, then the next of each, without the processing in sets. */
export async function processSingly({ deps }: IntakeService): Promise<void> {
  for (;;) {
    const due = await selectDueSubjects(deps.db);
    if (due.length === 0) return;
    for (const { subject } of due) await processNextReceipt(deps, subject);
  }
}

// Data that depends neither on the machine's clock nor on random uids. Versions and running balances are left out: they depend on which order of a
// customer came first, which is undefined between two orders.
const DUMPS = [
  `select a.storefront_id, replace(l.source_key, l.customer_uid::text, '') as source_key, l.type, l.point_value, l.object, l.parent, l.action, l.origin, l.reason_type, l.extends,
    l.cascade, l.app_reference, l.program_version
  from allotment l join customer_alias a using (bucket, customer_uid) order by 1, 2`,
  `select a.storefront_id, b.ledger_points, b.owed_points, b.version
  from balance b join customer_alias a using (bucket, customer_uid) order by 1`,
  `select a.storefront_id, t.origin, t.extends, sum(t.remaining) as points
  from lot t join customer_alias a using (bucket, customer_uid) group by 1, 2, 3 order by 1, 2, 3`,
  `select o.order_id, a.storefront_id, o.platform, o.email, o.facts, o.rules - 'tier' as rules, o.awardable_points, o.awarded_points,
    o.redeemed_points, o.forgiven_points, o.due_at, o.state, o.processed_at, o.rules_for is null as is_unruled
  from store_order o left join customer_alias a using (bucket, customer_uid) order by 1`,
  `select p.order_id, p.cause, p.type, a.storefront_id, p.version is null as is_unposted, p.wanted, p.taken, p.outcome, p.taken_elsewhere
  from order_posting p left join customer_alias a using (bucket, customer_uid) order by 1, 2`,
  `select s.order_id, a.storefront_id, s.credited_at, s.spend_minor
  from order_spend s join customer_alias a using (bucket, customer_uid) order by 1`,
  `select c.storefront_id, c.email, c.name, c.accepts_marketing, c.account_enabled, c.tags, c.member_versions, c.profile_at, c.consent_at,
    c.deleted_at
  from customer c order by 1`,
  `select a.storefront_id, s.at, s.statement
  from tag_statement s join customer_alias a using (bucket, customer_uid) order by 1, 2, 3`,
  "select kind, subject, detail from staff_task order by subject, detail::text",
  "select delivery_key, topic, subject, state, note, attempts from receipt order by uid",
];

/** The service's customers, orders and receipts; its ledger is verified first. */
export async function dumpIntake({ deps }: IntakeService): Promise<unknown[]> {
  const lines: string[] = [];
  await verifyLedger(deps.db, (line) => lines.push(line), [...ORDER_CHECKS, ...TIER_CHECKS]);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  return Promise.all(DUMPS.map((text) => deps.db.query(text)));
}
