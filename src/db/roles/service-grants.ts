/** The role as which the embedded server's service connects; with an external database it is the role of DATABASE_URL. */
export const SERVICE_ROLE = "pointkeeper_service";

const APPEND = "select, insert";
const KEEP = "select, insert, update";
const QUEUE = "select, insert, delete";
const CHANGE = "select, insert, update, delete";

/**
 * What the service's role may do with each table: no more than its statements need. Facts of the ledger and the audit log are appended and
 * never changed (docs/decisions/0033-a-role-that-cannot-rewrite-history.md). A new table gets its line here, in the release that creates
 * it; until all nodes run that release, a line may only gain privileges.
 */
export const SERVICE_GRANTS: Readonly<Record<string, string>> = {
  migration: "select",

  // facts: written once
  allotment: APPEND,
  allotment_block: APPEND,
  account_block: APPEND,
  allotment_note: APPEND, // erased by erase_allotment_notes only
  bookmark: APPEND,
  tree_node: APPEND,
  counted_source: APPEND,
  draw: APPEND,
  settled_debt: APPEND,
  audit_entry: APPEND,
  access_change: APPEND,
  access_notice_read: APPEND,
  coupon_use: APPEND,
  shop: APPEND,
  tier_change: APPEND,
  program_version: APPEND,

  // state that follows from the facts and that verify recomputes
  balance: CHANGE,
  ledger_mark: "select, update",
  ledger_key: KEEP,
  checkpoint: QUEUE,
  checkpoint_mark: "select, update",
  self_check: "select, update",
  lot: CHANGE,
  reservation: CHANGE,

  // settings and people
  alert: CHANGE,
  alert_setting: "select, update",
  alert_standing: "select, update",
  report_setting: "select, update",
  message_setting: "select, update",
  message_rule: "select, update",
  message_pace: "select, update",
  message_run: "select, update",
  api_auth_failure: CHANGE,
  api_request: QUEUE,
  api_request_unlisted: CHANGE,
  api_secret_key: CHANGE,
  credential: KEEP,
  sandbox_clock: KEEP,
  storefront_key: KEEP,
  storefront_origin: QUEUE,
  setup_code: CHANGE,
  setup_step: QUEUE,
  saved_view: CHANGE,
  default_view: CHANGE,
  store_theme: "select, update",
  sign_in_failure: CHANGE,
  sign_in_refusal: CHANGE,
  staff: KEEP,
  staff_device: CHANGE,
  staff_identity: CHANGE,
  staff_passkey: CHANGE,
  staff_recovery_code: CHANGE,
  sign_in_setting: KEEP,
  spent_token: QUEUE,
  staff_link: CHANGE,
  staff_movement: QUEUE,
  staff_session: CHANGE,
  adjustment_request: KEEP,

  // customers and their orders
  birthday_reward: KEEP,
  birthday_run: KEEP,
  coupon: KEEP,
  customer: CHANGE,
  customer_alias: CHANGE,
  customer_note: QUEUE,
  member_claim: CHANGE,
  customer_spend_base: CHANGE,
  customer_tier: CHANGE,
  designation: KEEP,
  history_entry: QUEUE,
  order_posting: KEEP,
  order_review: CHANGE,
  order_spend: CHANGE,
  privacy_request: KEEP,
  product: KEEP,
  program_review: KEEP,
  staff_task: KEEP,
  store_order: KEEP,
  tag_statement: CHANGE,
  tier_standing: KEEP,

  // inbound data, outbound data, files
  acknowledgement: CHANGE,
  attempt: CHANGE,
  delivery: CHANGE,
  event_batch: CHANGE,
  topic_batch: CHANGE,
  topic_stream: KEEP,
  receiver_cursor: KEEP,
  export: CHANGE,
  export_piece: QUEUE,
  idempotency: CHANGE,
  import: CHANGE,
  import_change: QUEUE,
  import_fault: CHANGE,
  import_piece: QUEUE,
  import_profile: CHANGE,
  import_row: CHANGE,
  import_step: CHANGE,
  moved_points: CHANGE,
  intake_pace: CHANGE,
  mail: CHANGE,
  report: CHANGE,
  report_piece: QUEUE,
  message_sent: QUEUE,
  message_tier_change: CHANGE, // locked while a message about it is queued
  outbox_event: CHANGE,
  receipt: KEEP,
  receipt_warning: CHANGE,
  subscription: CHANGE,
  coupon_creation: CHANGE,
  coupon_removal: CHANGE,
  platform_customer: KEEP,
  platform_feed: CHANGE,
  platform_mark: KEEP,
  platform_trigger: CHANGE,

  // figures, which can be computed again, and background work
  figure_active: CHANGE,
  figure_book: CHANGE,
  figure_count: KEEP,
  figure_customer: `${CHANGE}, truncate`,
  figure_day: CHANGE,
  figure_expiry: CHANGE,
  figure_large: `${CHANGE}, truncate`,
  figure_standing: "select, update",
  growth_benefit: `${CHANGE}, truncate`,
  growth_benefit_day: `${CHANGE}, truncate`,
  growth_change: QUEUE,
  growth_lapse: `${CHANGE}, truncate`,
  growth_customer: `${CHANGE}, truncate`,
  growth_month: `${CHANGE}, truncate`,
  growth_move: `${CHANGE}, truncate`,
  growth_moved: `${CHANGE}, truncate`,
  growth_points: `${CHANGE}, truncate`,
  growth_standing: "select, update",
  growth_tier: `${CHANGE}, truncate`,
  liability_book: "select, update",
  liability_sum: CHANGE, // closed months are kept by a trigger
  liability_estimate: CHANGE,
  liability_deferral: APPEND,
  liability_month: APPEND,
  sale: `${CHANGE}, truncate`,
  sale_buyer: `${CHANGE}, truncate`,
  sale_change: QUEUE,
  sale_collection: `${CHANGE}, truncate`,
  sale_reach: `${CHANGE}, truncate`,
  sale_result: `${CHANGE}, truncate`,
  sale_run: `${CHANGE}, truncate`,
  sale_slot: `${CHANGE}, truncate`,
  sale_standing: "select, update",
  segment: CHANGE,
  segment_customer: QUEUE,
  segment_dropped: CHANGE,
  backup_run: CHANGE,
  job: KEEP,
  job_plan: KEEP,
  job_request: KEEP,
  job_run: CHANGE,
  node_beat: CHANGE,
};

/**
 * The same for a distributed store. There the service's role itself deletes the notes that are erased, and `ERASING_NOTES` runs with its
 * caller's rights: in a transaction, Citus does not let a role write a shard that another role has written.
 */
export const DISTRIBUTED_GRANTS: Readonly<Record<string, string>> = { ...SERVICE_GRANTS, allotment_note: QUEUE };
export const ERASING_NOTES = "erase_allotment_notes(smallint[], uuid[])";
/** SQL: whether the store is distributed over a Citus. */
export const IS_DISTRIBUTED = `to_regclass('counted_source') is not null`;

/** Functions that run with their owner's rights: only the service's role may call them. */
export const SERVICE_FUNCTIONS: readonly string[] = [ERASING_NOTES, "lock_program_versions(boolean)"];

const PRIVILEGES = ["select", "insert", "update", "delete", "truncate", "references", "trigger", "maintain"];

/** A table in the catalogue: the privileges that were granted to the service's role, in lower case. */
export interface GrantedTable {
  readonly table: string;
  readonly granted: readonly string[];
}

/**
 * Returns the statements that bring a role's privileges to the declared ones; none if they already are. Undeclared tables are left alone:
 * they belong to another version.
 */
export function grantStatements(
  tables: readonly GrantedTable[],
  quotedRole: string,
  grants: Readonly<Record<string, string>> = SERVICE_GRANTS,
): string[] {
  return tables.flatMap(({ table, granted }) => {
    const declared = grants[table]?.split(", ");
    if (declared === undefined) return [];
    const missing = declared.filter((privilege) => !granted.includes(privilege));
    const excess = PRIVILEGES.filter((privilege) => granted.includes(privilege) && !declared.includes(privilege));
    return [
      ...(missing.length > 0 ? [`grant ${missing.join(", ")} on table "${table}" to ${quotedRole}`] : []),
      ...(excess.length > 0 ? [`revoke ${excess.join(", ")} on table "${table}" from ${quotedRole}`] : []),
    ];
  });
}
