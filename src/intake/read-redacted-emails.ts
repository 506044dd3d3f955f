import { selectByEmail, selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Queryable } from "../db/pool.ts";
import type { CustomerDeleted } from "../platforms/neutral-events.ts";

/**
 * Returns the addresses, in lower case, of the person whom a redaction names: the stored one, which an earlier deletion has erased, and the one that it
 * states, unless another customer has it, who may be the same person or somebody else. The stored one of who was merged is the survivor's.
 */
export async function readRedactedEmails(
  tx: Queryable,
  { customerId, email }: Pick<CustomerDeleted["payload"], "customerId" | "email">,
): Promise<string[]> {
  const before = await selectByStorefrontId(tx, customerId);
  const own = before?.storefrontId === customerId && before.email ? [before.email] : [];
  const stated = email?.toLowerCase() ?? "";
  if (stated === "" || own.includes(stated)) return own;
  return (await selectByEmail(tx, stated)).length > 0 ? own : [...own, stated];
}
