import type { CustomerRow } from "../../src/customers/customer.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import type { Deps } from "../../src/deps.ts";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import type { TestService } from "./service.ts";

let count = 0;

/** Creates a separate customer with the verb that creates every customer. */
export async function makeCustomer(
  deps: Deps,
  more: { email?: string; storefrontId?: string; name?: string } = {},
): Promise<CustomerRow> {
  const storefrontId = more.storefrontId ?? `70${process.pid}${String(++count).padStart(6, "0")}`;
  const { customer } = await deps.db.tx((tx) => upsertCustomer(tx, deps, { ...more, storefrontId }));
  return customer;
}

/** Creates a customer who has points from the interface, and returns the id. */
export async function customerWithPoints({ deps, client }: TestService, points: number): Promise<string> {
  const { storefrontId } = await makeCustomer(deps);
  if (points === 0) return storefrontId;
  const body = { customer_id: storefrontId, point_value: points };
  const { status, text } = await client.post("/api/storefront/point_allotments", body);
  if (status !== 200) throw new Error(text);
  return storefrontId;
}

/** Merges a customer into another like the platform, both by their ids. */
export function mergeInto(deps: Deps, removedId: string, keptId: string): Promise<void> {
  return deps.db.tx((tx) => mergeCustomers(tx, deps, { removedId, keptId, appReference: "test" }));
}
