import type { CustomerRow, Profile, ProfileField } from "../../customers/customer.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { bucketsOf } from "../csv-import.ts";
import type { WorkProfile } from "../profile-queries.ts";
import type { ShardBatch } from "../row-queries.ts";
import type { ShardPlace } from "../step-queries.ts";

/** The fields that a file of customers may change. */
export type FileField = Exclude<ProfileField, "tags" | "locale">;
export type FileProfile = Partial<Pick<Profile, FileField>>;

export const FILE_FIELDS: readonly FileField[] = [
  ...(["email", "name", "nameReading", "birthday", "acceptsMarketing", "accountEnabled"] as const),
];

/** What a row of customers did. */
export interface RowChange {
  readonly bucket: number;
  readonly n: number;
  readonly line: number;
  readonly customer: CustomerRef;
  readonly isCreated: boolean;
  /** By changed field; empty if the row created the customer. */
  readonly before: FileProfile;
  /** By changed field; if the row created the customer, all fields that the version knew. */
  readonly after: FileProfile;
}

const INSERT = `insert into import_change (import_uid, bucket, n, line, customer_bucket, customer_uid, is_created, before, after)
select $1, k.bucket, k.n, k.line, k.customer_bucket, k.customer_uid, k.is_created, k.before::jsonb, k.after::jsonb
from unnest($2::smallint[], $3::integer[], $4::integer[], $5::smallint[], $6::uuid[], $7::boolean[], $8::text[], $9::text[])
  as k (bucket, n, line, customer_bucket, customer_uid, is_created, before, after)`;

// Backwards, so that of two rows of a customer the later one is undone first.
const SELECT_LAST = `select c.bucket,
  c.n,
  c.line,
  c.customer_bucket as "customerBucket",
  c.customer_uid as "customerUid",
  c.is_created as "isCreated",
  c.before,
  c.after
from import_change c
where c.import_uid = $1
  and c.bucket >= $2
  and (c.bucket, c.n) < ($3, $4)
order by c.bucket desc, c.n desc
limit $5`;

const N_MAX = 2_147_483_647;

/** Returns what undoing a row needs to know about its change; null: it changed nothing. */
export function changeOf(
  { bucket, n, line }: Pick<WorkProfile, "bucket" | "n" | "line">,
  did: {
    readonly customer: CustomerRow;
    readonly before: CustomerRow;
    readonly created: boolean;
    readonly changed: readonly ProfileField[];
  },
): RowChange | null {
  const { customer, before, created, changed } = did;
  const fields = created ? FILE_FIELDS : FILE_FIELDS.filter((field) => changed.includes(field));
  if (fields.length === 0) return null;
  return {
    ...{ bucket, n, line },
    customer: { bucket: customer.bucket, customerUid: customer.customerUid },
    isCreated: created,
    before: created ? {} : fieldsOf(before, fields),
    after: fieldsOf(customer, fields),
  };
}

/** Returns some fields of a customer's profile. */
function fieldsOf(profile: Pick<CustomerRow, FileField>, fields: readonly FileField[]): FileProfile {
  return Object.fromEntries(fields.map((field) => [field, profile[field]]));
}

/** Stores the changes of rows, in their transaction. */
export async function insertChanges(tx: Tx, uid: string, changes: readonly RowChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(INSERT, [
    uid,
    changes.map(({ bucket }) => bucket),
    changes.map(({ n }) => n),
    changes.map(({ line }) => line),
    changes.map(({ customer }) => customer.bucket),
    changes.map(({ customer }) => customer.customerUid),
    changes.map(({ isCreated }) => isCreated),
    changes.map(({ before }) => JSON.stringify(before)),
    changes.map(({ after }) => JSON.stringify(after)),
  ]);
}

/** Returns the changes of a shard's next rows to be undone, last row first. */
export async function selectLastChanges(
  queryable: Queryable,
  { uid, batch, from }: { readonly uid: string; readonly batch: ShardBatch; readonly from: ShardPlace },
): Promise<RowChange[]> {
  const { first, last } = bucketsOf(batch.shard);
  type Row = Omit<RowChange, "customer"> & { customerBucket: number; customerUid: string };
  const place = [from.bucket ?? last, from.n ?? N_MAX];
  const rows = await queryable.query<Row>(SELECT_LAST, [uid, first, ...place, batch.size]);
  return rows.map(({ customerBucket, customerUid, ...row }) => ({
    ...row,
    customer: { bucket: customerBucket, customerUid },
  }));
}
