import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import type { TestService } from "../../support/service.ts";

const MEMBERS = 60;

/** Sixty members with points, of ids from 7000 on. */
export async function seedMembers({ deps, client }: TestService): Promise<void> {
  for (let n = 0; n < MEMBERS; n++) {
    const storefrontId = String(7_000 + n);
    const person = { storefrontId, name: `Member ${n}`, email: `m${n}@example.com` };
    await deps.db.tx((tx) => upsertCustomer(tx, deps, person));
    await client.post("/api/storefront/point_allotments", {
      ...{ customer_id: storefrontId, point_value: 100 + n, reason: { type: "reward" } },
    });
  }
}
