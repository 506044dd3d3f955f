import type { TestService } from "../../support/service.ts";

const ROWS = "from generate_series(1, 51) as n";
const FILL = [
  `insert into audit_entry (at, actor_kind, actor_name, action, subject_kind, subject_id)
   select $1, 'system', 'pointkeeper', 'job.requested', 'job', 'expire points' ${ROWS}`,
  `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, received_at)
   select decode(md5('receipt ' || n), 'hex'), gen_random_uuid(), 'neutral', 'OrderPlaced', n::text, 'order/' || n, 'done', $1 ${ROWS}`,
  `insert into outbox_event (bucket, uid, topic, payload, inserted_at)
   select 3, gen_random_uuid(), 'point_balance/update', '{}', $1 ${ROWS}`,
  `insert into mail (uid, idempotency_key, category, priority, recipient, subject, state, created_at, ended_at)
   select gen_random_uuid(), 'mail ' || n, 'alert', 1, 'a@store.example', 'Alert', 'failed', $1, $1 ${ROWS}`,
];

/** Adds more rows than a page has to each list whose rows are counted apart from it: audit log, receipts, deliveries, failed mails. */
export async function fillLists({ deps, clock }: TestService): Promise<void> {
  for (const text of FILL) await deps.db.execute(text, [clock.now()]);
}
