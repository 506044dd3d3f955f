import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmail, selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Queryable } from "../db/pool.ts";

/** The customers that a list's filter names by id or e-mail: none, one, or several who share the e-mail. */
export async function findNamed(db: Queryable, text: string): Promise<readonly (CustomerRow | undefined)[]> {
  if (text.includes("@")) return selectByEmail(db, text.toLowerCase());
  return [await selectByStorefrontId(db, text)];
}
