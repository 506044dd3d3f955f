/** The column that determines the shard: all rows of a customer are on one node. */
export const DISTRIBUTION_COLUMN = "bucket";

/**
 * The tables of customers' points. Everything else stays on the coordinator: customers' data, orders, receipts, deliveries, settings
 * (docs/decisions/0025-distributed-by-bucket.md).
 */
export const DISTRIBUTED_TABLES = [
  "balance",
  "allotment",
  "allotment_note",
  "lot",
  "draw",
  "settled_debt",
  "allotment_block",
  "account_block",
  "reservation",
] as const;

/**
 * Tables with a bucket that stay on the coordinator anyway, by reason: a statement that joins one with a distributed table moves rows
 * between nodes. A new table with a bucket must be added to one of the two lists.
 */
export const COORDINATOR_TABLES = {
  /** Their triggers write the audit log, or record what a figure has to count again: Citus considers these unsafe on a distributed table. */
  triggers: ["customer", "customer_tier", "sale_buyer", "coupon_use", "tier_change", "store_order"],
  /** Found by a key other than their customer: by an order, a code, a receiver, a mail's recipient, a file, a person. */
  otherKey: [
    ...["customer_alias", "order_posting", "order_review", "coupon", "coupon_creation", "staff_task"],
    ...[
      "outbox_event",
      "delivery",
      "attempt",
      "mail",
      "import_row",
      "import_profile",
      "import_change",
      "moved_points",
      "platform_trigger",
    ],
    ...["adjustment_request", "staff_movement", "history_entry", "message_tier_change"],
  ],
  /** Read and written together with `customer`, in the transactions that lock it. */
  besideCustomer: [
    ...["customer_note", "customer_spend_base", "tag_statement", "tier_standing", "order_spend", "birthday_reward"],
    ...["platform_customer", "message_sent"],
  ],
  /** Figures, which jobs compute from settled rows and can compute again. */
  figures: [
    ...["figure_customer", "figure_large", "segment_customer", "sale", "sale_reach"],
    ...["growth_change", "growth_customer", "growth_benefit", "growth_moved"],
  ],
} as const;

/** A store-wide unique index, and what ensures uniqueness if the table's rows are on several nodes. */
export interface WidenedKey {
  readonly index: string;
  readonly table: (typeof DISTRIBUTED_TABLES)[number];
  /** The same index with the distribution column appended: it finds a row by its first column as before. */
  readonly definition: string;
  /** Why values are nevertheless unique in the store. */
  readonly heldBy: "counted_source" | "random uid";
}

/** The unique indexes without the distribution column. Citus does not allow them; --distribute replaces each by a wider one. */
export const WIDENED_KEYS: readonly WidenedKey[] = [
  {
    index: "allotment_source",
    table: "allotment",
    definition:
      "create unique index allotment_source on allotment (source_key, bucket) where source_key not like 'api/%'",
    heldBy: "counted_source",
  },
  {
    index: "allotment_uid",
    table: "allotment",
    definition: "create unique index allotment_uid on allotment (uid, bucket)",
    heldBy: "random uid",
  },
  {
    index: "reservation_uid",
    table: "reservation",
    definition: "create unique index reservation_uid on reservation (uid, bucket)",
    heldBy: "random uid",
  },
];
