import type { Queryable } from "../../db/pool.ts";
import type { ProductFacts } from "../plan/order-rules.ts";

interface ProductRow extends Pick<ProductFacts, "tags" | "collections"> {
  readonly productId: string;
  readonly open: "tags" | "collections" | null;
}

const SELECT_PRODUCTS = `select product_id as "productId",
  coalesce(tags, '{}') as tags,
  coalesce(collections, '{}') as collections,
  case
    when tags is null then 'tags'
    when collections is null then 'collections'
  end as open
from product
where product_id = any($1)
  and (tags is not null or collections is not null)`;

/** Returns what is known about products, by id; without those of which nothing is known. */
export async function selectProducts(
  queryable: Queryable,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, ProductFacts>> {
  if (productIds.length === 0) return new Map();
  const rows = await queryable.query<ProductRow>(SELECT_PRODUCTS, [productIds]);
  return new Map(
    rows.map(({ productId, open, ...known }) => [productId, open === null ? known : { ...known, open }] as const),
  );
}
