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
