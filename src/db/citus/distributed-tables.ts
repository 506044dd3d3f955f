/** The column by which the shards are made: a customer's rows of all tables lie on one node. */
export const DISTRIBUTION_COLUMN = "bucket";

/**
 * The tables of customers' points. Everything else stays on the coordinator: who customers are, orders, receipts, deliveries, settings
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
 * Tables with a bucket that stay on the coordinator all the same, by why: a statement that joins one with a distributed table moves rows
 * between nodes. A new table with a bucket comes into one of the two lists.
 */
export const COORDINATOR_TABLES = {
  /** Triggers write the audit log, or note what a figure has to count again: Citus calls them unsafe on a distributed table. */
  triggers: ["customer", "customer_tier", "sale_buyer", "coupon_use", "tier_change", "store_order"],
  /** Found by another key than their customer: by an order, a code, a receiver, a mail's recipient, a file, a person. */
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
  /** Read and written beside `customer`, in the transactions that lock it. */
  besideCustomer: [
    ...["customer_note", "customer_spend_base", "tag_statement", "tier_standing", "order_spend", "birthday_reward"],
    ...["platform_customer", "message_sent"],
  ],
  /** Figures, which jobs count from settled rows and can count again. */
  figures: [
    ...["figure_customer", "figure_large", "segment_customer", "sale", "sale_reach"],
    ...["growth_change", "growth_customer", "growth_benefit", "growth_moved"],
  ],
} as const;

/** A unique index that holds in the whole store, and what holds it where the table's rows lie on many nodes. */
export interface WidenedKey {
  readonly index: string;
  readonly table: (typeof DISTRIBUTED_TABLES)[number];
  /** The same index with the distribution column behind its own: it finds a row by its first column as before. */
  readonly definition: string;
  /** Why no value comes twice in the store all the same. */
  readonly heldBy: "counted_source" | "random uid";
}

/** The unique indexes without the distribution column. Citus takes none of them; --distribute puts a wider one in the place of each. */
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
