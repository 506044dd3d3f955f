import type { Deps } from "../../deps.ts";
import type { ProductBody } from "./schema.ts";
import { upsertProduct } from "./upsert-product.ts";

export interface ProductRow {
  readonly id: string;
  /** null: unknown. */
  readonly tags: string[] | null;
  readonly collections: string[] | null;
}

const SELECT = `select product_id as id,
  tags,
  collections
from product
where product_id = $1`;

/**
 * Stores the store's statement of a product's tags and collections (program.md 4), as of now: older events of the platform do not change
 * it, later ones may. Returns what is then known about the product.
 */
export async function putProduct(
  deps: Pick<Deps, "db" | "clock">,
  productId: string,
  body: ProductBody,
): Promise<ProductRow> {
  return deps.db.tx(async (tx) => {
    const { tags, collections } = body;
    const payload = {
      productId,
      ...(tags === undefined ? {} : { tags }),
      ...(collections === undefined ? {} : { collections: collections.map(String) }),
    };
    await upsertProduct(tx, deps, { payload, entityVersion: deps.clock.now() });
    const [row] = await tx.query<ProductRow>(SELECT, [productId]);
    if (row === undefined) throw new Error(`product ${productId} was not kept`);
    return row;
  });
}
