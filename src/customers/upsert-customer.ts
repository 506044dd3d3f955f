import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerPatch } from "./customer.ts";
import type { UpsertResult } from "./profile/patched-customers.ts";
import { upsertCustomers } from "./upsert-customers.ts";

/** Creates or changes a customer by a patch (program.md 2), like `upsertCustomers` for many. */
export async function upsertCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  patch: CustomerPatch,
): Promise<UpsertResult> {
  const [result] = await upsertCustomers(tx, deps, [patch]);
  if (result === undefined) throw new Error("a patch has no result");
  return result;
}
