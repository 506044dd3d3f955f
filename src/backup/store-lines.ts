/** The form of a table's rows in a file of the whole store (docs/export-format.md). */
export interface LineType {
  readonly table: string;
  /** The `type` of its lines. */
  readonly type: string;
  /** A description of its lines. */
  readonly about: string;
  /** The field names of columns whose field is not named like the column. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Columns that are written only with the secrets. */
  readonly secretColumns?: readonly string[];
  /** The lines are written only with the secrets. */
  readonly isSecret?: true;
  /** Every store has exactly one such line. */
  readonly isOne?: true;
}

const line = (table: string, type: string, about: string, more: Partial<LineType> = {}): LineType => ({
  table,
  type,
  about,
  ...more,
});
const ONE = { isOne: true } as const;
const SECRET = { isSecret: true } as const;

/** All tables that contain facts, in the order of the file. */
export const LINE_TYPES: readonly LineType[] = [
  line("shop", "shop", "the store's own id, once it was requested"),
  line("program_version", "program_version", "a version of the program: earning, expiry, tiers, campaigns, rewards"),
  line("program_review", "program_review", "how orders were recalculated for a version of the program"),
  line("product", "product", "tags and collections of a product"),
  line("customer", "customer", "a customer"),
  line("customer_alias", "customer_alias", "another id by which a customer is found, after a merge"),
  line("member_claim", "member_claim", "a member known by e-mail only, and the customer who has the address"),
  line(
    "history_entry",
    "history_entry",
    "what another app says happened to a customer's points before the first allotment",
  ),
  line("moved_points", "moved_points", "points that a customer received from a file of another app"),
  line("customer_spend_base", "customer_spend_base", "money that a customer spent elsewhere, counted toward tiers"),
  line("tag_statement", "customer_tags", "the tags of a customer from an instant on"),
  line("customer_note", "customer_note", "what people of the store noted about a customer"),
  line("balance", "point_balance", "the points of a customer now"),
  line("allotment", "point_allotment", "an entry of the ledger", { fields: { cascade: "allotment_cascade" } }),
  line("allotment_note", "point_allotment_note", "the note of an allotment, and who wrote it"),
  line("lot", "lot", "what is left of an allotment that gave points, and its expiry"),
  line("draw", "draw", "how many points a deduction took from which lot"),
  line("reservation", "reservation", "points that are held, or were"),
  line("settled_debt", "settled_debt", "points of an award that settled what a customer owed"),
  line("allotment_block", "allotment_sum", "sums of 1,024 allotments of a customer, worked out from them"),
  line(
    "account_block",
    "account_sum",
    "sums of 1,000 allotments of a customer by what the customer did, worked out from them",
  ),
  line("bookmark", "bookmark", "a position in the list of allotments, worked out from it"),
  line("ledger_mark", "ledger_mark", "up to when the ledger is settled", ONE),
  line("store_order", "order", "an order: its facts, the rules of its time, its points"),
  line("order_posting", "order_posting", "what an order asked of the ledger, and what was posted"),
  line("order_spend", "order_spend", "what an order counts toward tiers"),
  line("order_review", "order_review", "orders that wait to be calculated again"),
  line("coupon", "coupon", "a discount code that was bought with points"),
  line("coupon_use", "coupon_use", "an order that used a coupon"),
  line("coupon_creation", "coupon_creation", "a coupon that is being made at the platform"),
  line("coupon_removal", "coupon_removal", "a coupon that is being removed at the platform"),
  line("staff_task", "staff_task", "something that a person has to look at"),
  line("customer_tier", "customer_tier", "the tier of a customer"),
  line("tier_change", "tier_change", "a change of a customer's tier"),
  line(
    "tier_standing",
    "tier_standing",
    "a customer's minimum tier, and whether the next check is skipped, from an instant on",
  ),
  line("designation", "tier_evaluation", "a run that placed customers in tiers"),
  line("birthday_reward", "birthday_reward", "the day on which a customer's birthday was last rewarded"),
  line("birthday_run", "birthday_run", "up to which day birthdays are rewarded"),
  line("subscription", "webhook_subscription", "a topic and the URL that receives it", {
    secretColumns: ["secret_sealed", "next_secret_sealed"],
  }),
  line("outbox_event", "webhook_event", "an event of which a delivery is not over"),
  line("topic_stream", "webhook_topic", "how far the events of a topic are"),
  line("topic_batch", "webhook_topic_batch", "events of a topic that wait for their first attempt"),
  line("receiver_cursor", "webhook_cursor", "how far the receiver of a subscription is"),
  line("event_batch", "webhook_event_batch", "events of one receiver that wait for their first attempt"),
  line("delivery", "webhook_delivery", "an event that is delivered again"),
  line("attempt", "webhook_attempt", "one request of a delivery"),
  line("acknowledgement", "webhook_acknowledgement", "events that were taken at the first attempt"),
  line("receipt", "receipt", "an event of the platform as it arrived"),
  line("receipt_warning", "receipt_warning", "what was odd about a received event"),
  line("privacy_request", "privacy_request", "a request for a person's data, or its erasure"),
  line("import", "import", "an imported file"),
  line("import_piece", "import_piece", "a piece of the bytes of an imported file"),
  line("import_row", "import_row", "a row of an imported file"),
  line("import_profile", "import_profile", "a customer's profile in an imported file"),
  line("import_fault", "import_fault", "a fault of an imported file"),
  line("import_step", "import_step", "how far an import is"),
  line("import_change", "import_change", "what an import changed of a customer, to undo it"),
  line("export", "export", "a requested CSV export"),
  line("export_piece", "export_piece", "a piece of the bytes of a CSV export"),
  line("staff", "staff", "a person who signs in to the dashboard", {
    secretColumns: ["password_hash", "totp_sealed", "totp_draft_sealed"],
  }),
  line("staff_identity", "staff_identity", "whom the identity provider knows by which subject"),
  line("staff_passkey", "staff_passkey", "a passkey of a person: its public key"),
  line("sign_in_setting", "sign_in_setting", "whether an operator switched OpenID Connect off"),
  line("staff_recovery_code", "staff_recovery_code", "a digest of a recovery code", SECRET),
  line("staff_movement", "staff_movement", "points that a person moved, counted toward the allowance"),
  line("adjustment_request", "approval_request", "a change that waits for approval, or was decided"),
  line("access_change", "access_change", "a change of who may sign in"),
  line("access_notice_read", "access_notice_read", "who has seen a change of access"),
  line("setup_step", "setup_step", "a step of the first set-up that is done"),
  line("saved_view", "saved_view", "filters of a list of the dashboard under a name"),
  line("default_view", "default_view", "the view with which a person opens a list of the dashboard"),
  line("audit_entry", "audit_entry", "who changed what"),
  line(
    "ledger_key",
    "ledger_key",
    "a public key that signed checkpoints; with the secrets the sealed private one too",
    {
      secretColumns: ["material_sealed"],
    },
  ),
  line("checkpoint", "checkpoint", "a signed state of the ledger and the audit log"),
  line("tree_node", "checkpoint_subtree", "a hash of 256 or more entries below the checkpoints"),
  line("checkpoint_mark", "checkpoint_mark", "up to where the audit log is settled", ONE),
  line("self_check", "self_check", "how far the worker's check of the ledger is", ONE),
  line("platform_mark", "platform_mark", "up to when the platform's changes were read"),
  line("platform_feed", "platform_feed", "up to where the ledger's changes were sent to the platform"),
  line("platform_customer", "platform_customer", "what the platform was last sent of a customer"),
  line("platform_trigger", "platform_trigger", "a change that is still to be sent to workflows of the platform"),
  line("message_sent", "message_sent", "an occasion on which a customer was sent a message"),
  line("segment", "segment", "a saved filter over customers"),
  line("segment_customer", "segment_customer", "a customer whom a segment found"),
  line("segment_dropped", "segment_dropped", "a list of a segment whose rows are being deleted"),
  line("figure_book", "metric_book", "up to where the metrics count the ledger"),
  line("figure_day", "metric_day", "points given and taken on a day, by type"),
  line("figure_active", "metric_active", "customers who were active on a day"),
  line("figure_count", "metric_count", "how many customers there were"),
  line("figure_customer", "metric_customer", "what the metrics count of a customer"),
  line("figure_large", "metric_large", "a balance of very many lots"),
  line("figure_expiry", "metric_expiry", "points that expire in a month"),
  line("figure_standing", "metric_standing", "up to where the metrics count customers", ONE),
  line("liability_book", "liability_book", "up to where the liability counts the ledger", ONE),
  line("liability_sum", "liability_sum", "points that moved in a month, by month of issue, origin and kind"),
  line("liability_estimate", "liability_estimate", "what is expected to be redeemed, and the price of a point"),
  line("liability_deferral", "liability_deferral", "deferred revenue of a closed month, by month of issue"),
  line("liability_month", "liability_month", "a closed month"), // after its rows, which nothing changes from then on
  line("job", "job", "when a scheduled job was last done"),
  line("job_run", "job_run", "a run of a job"),
  line("sandbox_clock", "sandbox_clock", "where the test clock stands"),
  line("credential", "credential", "a credential of the API, with a digest of its secret", SECRET),
  line("api_secret_key", "api_secret_key", "the key that signs deliveries, sealed", SECRET),
  line("storefront_key", "storefront_key", "a key that signs tokens of customers, sealed", SECRET),
  line("storefront_origin", "storefront_origin", "an origin whose pages may use tokens of customers"),
  line("idempotency", "idempotent_response", "the response to a request with an Idempotency-Key, of 24 hours", SECRET),
];

/** The tables that no file contains, and why. A new table has to be added to one of the two lists. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  migration: "the schema: the first line has the number of its last migration",
  node_beat: "how old a replica's data is, by the minute",
  staff_session: "a sign-in at the old address; people sign in again",
  staff_device: "a browser that is known at the old address",
  staff_link: "an invitation or reset link to the old address, for a few days",
  sign_in_failure: "wrong passwords of the last hours",
  sign_in_refusal: "refused sign-ins of the hour, which the audit log gets when it is over",
  mail: "mails that were sent or wait: a copy of the store sends none of them again",
  spent_token: "challenges of sign-ins of the last minutes",
  report_setting: "which reports the store at the old address makes: a copy makes none until an owner turns them on",
  report: "reports of the last 90 days, made at the old address",
  report_piece: "files of those reports",
  message_setting: "which messages the store at the old address sends: a copy sends none until somebody turns them on",
  message_rule: "how the store at the old address sends messages",
  message_pace: "how many messages were queued just now, and the key of links to the old address",
  message_run: "how far messages are: a copy begins with the day on which they are turned on",
  message_tier_change: "changes of tier about which the store at the old address sends messages",
  alert: "what needed a person at the old address",
  alert_setting: "who is notified of alerts: a copy of the store notifies nobody until an owner sets it",
  alert_standing: "when the store at the old address last notified people",
  setup_code: "the code of a first set-up that is not done",
  store_theme: "the colour and logo of the dashboard, which a manager sets again",
  api_request: "requests of credentials of the last day",
  api_request_unlisted: "how many requests of the last day are not listed",
  api_auth_failure: "wrong credentials of the last hours, by address",
  intake_pace: "how many events a worker processed in a minute",
  job_plan: "when jobs are next due: written by every start",
  job_request: "a requested run of a job that has not begun",
  sale_change: "orders that the worker has yet to count: it walks through all of them",
  sale_standing: "how far the orders are counted: the worker counts them anew",
  sale: "what an order counts for: counted anew from the orders",
  sale_slot: "sums of orders by time: counted anew",
  sale_collection: "sums of goods of collections by time: counted anew",
  sale_run: "campaigns and bonuses of the versions of the program: read anew from them",
  sale_result: "results of campaigns and bonuses: counted anew",
  sale_reach: "who ordered in a campaign: counted anew",
  sale_buyer: "a customer's orders in sum: counted anew",
  growth_change: "customers whom the worker has yet to count: it walks through all of them",
  growth_standing: "how far the customers are counted: the worker counts them anew",
  growth_customer: "what a customer counts for: counted anew",
  growth_month: "customers by month joined and of first order: counted anew",
  growth_lapse: "customers by when they lapse: counted anew",
  growth_tier: "customers by tier: counted anew",
  growth_move: "moves between tiers by month: counted anew",
  growth_moved: "customers by their moves between tiers: counted anew",
  growth_benefit: "coupons and rewards with what they led to: counted anew",
  growth_benefit_day: "sums of coupons and rewards by time: counted anew",
  growth_points: "points by the month in which their customer joined: counted anew",
  backup_run: "backups at places of the old machine",
};

/** Whether lines of a type are in a file. */
export function isWritten({ isSecret }: LineType, withSecrets: boolean): boolean {
  return isSecret !== true || withSecrets;
}

/** A column as the database catalogue describes it. */
export interface CatalogColumn {
  readonly name: string;
  /** In the notation of `format_type`: `timestamp with time zone`. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** The name of a column's field in a line. */
export function fieldName({ fields = {} }: LineType, column: string): string {
  return fields[column] ?? column;
}

/** The columns of a table that a file contains. */
export function writtenColumns(
  { secretColumns = [] }: LineType,
  columns: readonly CatalogColumn[],
  withSecrets: boolean,
): CatalogColumn[] {
  return columns.filter(({ name }) => withSecrets || !secretColumns.includes(name));
}

/** Larger numbers are written as a string of digits, because a double would change them. */
const SAFE = "9007199254740991";

/** The SQL for a column's value as JSON, or for its text, in brackets; where it is null, the field is left out. */
function valueSql(column: string, type: string): string {
  switch (type) {
    case "bigint":
    case "numeric":
      return `(case when ${column} between -${SAFE} and ${SAFE} then to_json(${column}) else to_json(${column}::text) end)`;
    case "bytea":
      return `to_json(translate(encode(${column}, 'base64'), e'\\n', ''))`;
    case "timestamp with time zone":
      return `to_json(replace(to_json(${column}) #>> '{}', '+00:00', 'Z'))`;
    case "json":
      return `translate(${column}::text, e'\\n\\r', '  ')`; // between values only: within them they are escaped
    default:
      return `to_json(${column})`;
  }
}

/** Returns the query of a table's lines: one text each, without its end. `quote` quotes a name. */
export function linesSql(
  lineType: LineType,
  columns: readonly CatalogColumn[],
  quote: (name: string) => string,
): string {
  const parts = columns.map(({ name, type }) => {
    const field = JSON.stringify(fieldName(lineType, name));
    return `'${field}:' || ${valueSql(quote(name), type)}`; // null, which concat_ws leaves out, where the value is
  });
  return `select concat('{"type":"${lineType.type}","data":{', concat_ws(',', ${parts.join(", ")}), '}}')
from ${quote(lineType.table)}`;
}

/** Returns the statement that inserts a JSON array of lines, `$1`. A field that is absent is null. */
export function insertSql(
  lineType: LineType,
  columns: readonly CatalogColumn[],
  quote: (name: string) => string,
): string {
  const field = (name: string) => fieldName(lineType, name);
  const values = columns.map(({ name, type }) => {
    if (type === "json" || type === "jsonb") return `(e -> 'data' -> '${field(name)}')::${type}`; // null of JSON stays one
    return type === "bytea" ? `decode(r.${quote(field(name))}, 'base64')` : `r.${quote(field(name))}`;
  });
  const record = columns.map(({ name, type }) => `${quote(field(name))} ${type === "bytea" ? "text" : type}`);
  return `insert into ${quote(lineType.table)} (${columns.map(({ name }) => quote(name)).join(", ")})
overriding system value
select ${values.join(", ")}
from json_array_elements($1::text::json) as e
cross join lateral json_to_record(e -> 'data') as r (${record.join(", ")})`;
}
