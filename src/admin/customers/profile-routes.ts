import { editCustomer } from "../../customers/edit-customer.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { profileAnswer, profileBody } from "./profile-schema.ts";
import { shownCustomerParams } from "./schema.ts";

const config = { permission: "customers.change" } as const;

/** What staff change of what is known of a customer. */
export function profileRoutes(app: App, deps: Deps): void {
  const schema = { hide: true, params: shownCustomerParams, body: profileBody, response: { 200: profileAnswer } };
  app.put("/customers/:id/profile", { config, schema }, async (request) => {
    const { storefrontId: id } = await editCustomer(deps, request.params.id, request.body);
    return { data: { id } };
  });
}
