import type { Tx } from "../../db/pool.ts";
import type { ProductUpserted } from "../../platforms/neutral-events.ts";

const INSERT = `insert into product (product_id)
values ($1)
on conflict (product_id) do nothing`;

// A stated field keeps the newest version that stated it; without a version it only fills an unknown field.
const SET_TAGS = `update product
set tags = $2,
  tags_at = $3::timestamptz
where product_id = $1
  and (tags is null or $3::timestamptz >= coalesce(tags_at, '-infinity'))`;

const SET_COLLECTIONS = `update product
set collections = $2,
  collections_at = $3::timestamptz
where product_id = $1
  and (collections is null or $3::timestamptz >= coalesce(collections_at, '-infinity'))`;

/**
 * Stores a platform's statement of a product's tags and collections, which order bodies lack (program.md 4). An absent field stays; an
 * older version never overwrites a newer one. Orders that name the product later use it; an order keeps what it used.
 */
export async function upsertProduct(
  tx: Tx,
  _deps: unknown,
  event: Pick<ProductUpserted, "payload" | "entityVersion">,
): Promise<void> {
  const { productId, tags, collections } = event.payload;
  const version = event.entityVersion ?? null;
  await tx.execute(INSERT, [productId]);
  if (tags !== undefined) await tx.execute(SET_TAGS, [productId, tags, version]);
  if (collections !== undefined) await tx.execute(SET_COLLECTIONS, [productId, collections, version]);
}
