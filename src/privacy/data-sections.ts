import { IS_FORMER_ADDRESS_ID } from "../customers/member-id.ts";
import { allotmentNotes } from "../imports/queries.ts";

const NOTES = allotmentNotes("t");

/** A section of a person's data: a list with one object per row. */
export interface DataSection {
  readonly name: string;
  /** SQL that takes the buckets and uids of the customer and of those merged into them, and returns `line`, JSON text. */
  readonly text: string;
}

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const OWN = `(t.bucket, t.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;
const OWN_IDS = `(select a.storefront_id
    from customer_alias a
    where (a.bucket, a.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[])))`;

function section(name: string, fields: Readonly<Record<string, string>>, rest: string): DataSection {
  const pairs = Object.entries(fields).map(([field, column]) => `'${field}', ${column}`);
  return { name, text: `select json_build_object(${pairs.join(", ")})::text as line\n${rest}` };
}

/** Everything that is stored about a person, except secrets and internal queues (platforms.md 1.1, customers/data_request). */
export const DATA_SECTIONS: readonly DataSection[] = [
  section(
    "customers",
    {
      uid: "t.customer_uid",
      id: "t.storefront_id",
      email: "t.email",
      name: "t.name",
      name_reading: "t.name_reading",
      birthday: "t.birthday",
      accepts_marketing: "t.accepts_marketing",
      account_enabled: "t.account_enabled",
      locale: "t.locale",
      unsubscribed_at: iso("t.unsubscribed_at"),
      tags: "t.tags",
      created_at: iso("t.created_at"),
      ended_at: iso("t.deleted_at"),
    },
    `from customer t where ${OWN} order by t.deleted_at desc nulls first, t.customer_uid`,
  ),
  section(
    "tags_stated",
    { at: iso("t.at"), stated: "t.statement::json" },
    `from tag_statement t where ${OWN} order by t.at, t.statement`,
  ),
  section(
    "notes",
    { written_at: iso("t.written_at"), written_by: "t.written_name", text: "t.body" },
    `from customer_note t where ${OWN} order by t.written_at, t.uid`,
  ),
  section(
    "ids",
    { id: "t.storefront_id" },
    `from customer_alias t where ${OWN} and not t.storefront_id ${IS_FORMER_ADDRESS_ID} order by t.storefront_id`,
  ),
  section(
    "point_balances",
    {
      uid: "t.customer_uid",
      ledger_points: "t.ledger_points",
      held_points: "t.held_points",
      owed_points: "t.owed_points",
      last_activity_at: iso("t.active_at"),
      merged_into: "t.merged_into",
    },
    `from balance t where ${OWN} order by t.customer_uid`,
  ),
  section(
    "point_allotments",
    {
      uid: "t.uid",
      point_balance_uid: "t.customer_uid",
      point_value: "t.point_value",
      balance_after: "t.balance_after",
      type: "t.type",
      allotted_at: iso("t.allotted_at"),
      earned_at: iso("t.earned_at"),
      own_expiry: iso("t.expires_at"),
      object: "t.object",
      parent: "t.parent",
      action: "t.action",
      app_reference: "t.app_reference",
      reason: "t.reason_type",
      note: NOTES.note,
      actor: NOTES.actor,
    },
    `from allotment t
${NOTES.join}
where ${OWN}
order by t.customer_uid, t.version`,
  ),
  section(
    "lots",
    {
      points: "t.remaining",
      since: iso("t.since"),
      own_expiry: `case when t.expires_at < 'infinity' then ${iso("t.expires_at")} end`,
      origin: "t.origin",
    },
    `from lot t where ${OWN} order by t.expires_at, t.since, t.version, t.part`,
  ),
  section(
    "history",
    {
      occurred_at: iso("t.occurred_at"),
      points: "t.points",
      kind: "t.kind",
      source: "t.source",
      note: "t.note",
    },
    `from history_entry t where ${OWN} order by t.occurred_at, t.import_uid, t.n`,
  ),
  section(
    "spend_elsewhere",
    { as_of: iso("t.as_of"), spend: "t.spend_minor" },
    `from customer_spend_base t where ${OWN} order by t.as_of, t.import_uid`,
  ),
  section(
    "points_of_other_apps",
    { import: "t.import_uid", points: "t.points" },
    `from moved_points t where ${OWN} order by t.import_uid`,
  ),
  section(
    "reservations",
    {
      id: "t.uid",
      point_value: "t.point_value",
      captured: "t.captured_points",
      state: "t.state",
      held_at: iso("t.held_at"),
      ended_at: iso("t.ended_at"),
    },
    `from reservation t where ${OWN} order by t.held_at, t.uid`,
  ),
  section(
    "adjustment_requests",
    {
      id: "t.uid",
      kind: "t.kind",
      point_value: "t.point_value",
      note: "t.note",
      requested_at: iso("t.requested_at"),
      state: "t.state",
      decided_at: iso("t.decided_at"),
      decision_note: "t.decision_note",
    },
    `from adjustment_request t where ${OWN} order by t.requested_at, t.uid`,
  ),
  section(
    "imported_rows",
    { import: "t.import_uid", line: "t.line", points: "t.point_value", reason: "t.reason_type", note: "t.note" },
    `from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
cross join import i
join import_row t on t.import_uid = i.uid and t.bucket = k.bucket and t.customer_uid = k.customer_uid
where i.kind <> 'move'
order by t.import_uid, t.n`,
  ),
  section(
    "named_in_files",
    { import: "t.import_uid", line: "t.line" },
    `from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
cross join import i
join import_row t on t.import_uid = i.uid and t.bucket = k.bucket and t.customer_uid = k.customer_uid
where i.kind = 'move'
order by t.import_uid, t.n`,
  ),
  section(
    "imported_changes",
    { import: "t.import_uid", line: "t.line", before: "t.before", after: "t.after" },
    `from import_change t where (t.customer_bucket, t.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[])) order by t.import_uid, t.n`,
  ),
  section(
    "rows_to_import",
    { import: "t.import_uid", line: "t.line", id: "t.storefront_id", profile: "t.profile" },
    `from import_profile t where t.storefront_id in ${OWN_IDS} order by t.import_uid, t.n`,
  ),
  section(
    "orders",
    {
      id: "t.order_id",
      platform: "t.platform",
      email: "t.email",
      facts: "t.facts",
      awardable_points: "t.awardable_points",
      points_awarded: "t.awarded_points",
      points_redeemed: "t.redeemed_points",
      received_at: iso("t.received_at"),
    },
    `from store_order t
where t.order_id in (
  select o.order_id
  from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
  join store_order o on o.bucket = k.bucket and o.customer_uid = k.customer_uid
  union
  select g.order_id
  from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
  join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
  join store_order g on g.email = c.email and g.customer_uid is null and g.email is not null)
order by t.order_id`,
  ),
  section(
    "coupons",
    {
      id: "t.uid",
      code: "t.code",
      point_value: "t.point_value",
      currency_value: "t.currency_value",
      state: "t.state",
      used_by_order: "u.order_id",
      issued_at: iso("t.issued_at"),
      expires_at: iso("t.expires_at"),
    },
    `from coupon t left join coupon_use u on u.coupon_uid = t.uid where ${OWN} order by t.issued_at, t.uid`,
  ),
  section(
    "tiers",
    {
      tier_uid: "t.tier_uid",
      minimum_tier_uid: "t.minimum_tier_uid",
      skip_next_check: "t.skip_next_check",
      kept_tier_uid: "t.kept_tier_uid",
      kept_until: iso("t.kept_until"),
    },
    `from customer_tier t where ${OWN}`,
  ),
  section(
    "tier_changes",
    {
      changed_at: iso("t.changed_at"),
      from: "t.from_name",
      to: "t.to_name",
      cause: "t.cause",
      actor: "t.actor",
      spend: "t.spend_minor",
    },
    `from tier_change t where ${OWN} order by t.changed_at, t.uid`,
  ),
  section(
    "deliveries_received",
    {
      topic: "t.topic",
      subject: "t.subject",
      state: "t.state",
      received_at: iso("t.received_at"),
      body: "case when t.body is not null then encode(t.body, 'base64') end",
    },
    // the literals let the planner use the partial indexes
    `from receipt t
where t.uid in (
  select r.uid
  from ${OWN_IDS} as i (id)
  join receipt r on r.subject = 'customer/' || i.id and r.subject like 'customer/%'
  union
  select r.uid
  from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
  join store_order o on o.bucket = k.bucket and o.customer_uid = k.customer_uid
  join receipt r on r.subject = 'order/' || o.order_id and r.subject like 'order/%')
order by t.uid`,
  ),
  section(
    "webhook_events",
    { topic: "t.topic", payload: "t.payload::json", sent_from: iso("t.inserted_at") },
    `from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join outbox_event t on t.bucket = k.bucket and t.customer_uid = k.customer_uid
order by t.uid`,
  ),
  section(
    "mails",
    { sent: "t.subject", to: "t.recipient", state: "t.state", queued_at: iso("t.created_at") },
    `from mail t where ${OWN} order by t.uid`,
  ),
  section(
    "messages",
    { about: "t.kind", occasion: "t.occasion", queued_at: iso("t.sent_at") },
    `from message_sent t where ${OWN} order by t.sent_at, t.kind, t.occasion`,
  ),
  section(
    "requests",
    { kind: "t.kind", reference: "t.reference", requested_at: iso("t.requested_at"), done_at: iso("t.done_at") },
    `from privacy_request t where t.storefront_id in ${OWN_IDS} order by t.requested_at, t.uid`,
  ),
];
