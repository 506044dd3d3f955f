import { editByHand } from "../../adjustments/edit-by-hand.ts";
import { enterByHand } from "../../adjustments/enter-by-hand.ts";
import { selectByEmail } from "../../customers/customer-queries.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { holdersAnswer, holdersQuery, newCustomerBody, profileAnswer, profileBody } from "./profile-schema.ts";
import { shownCustomerParams } from "./schema.ts";

const config = { permission: "customers.change" } as const;

/** Routes by which staff create customers and change their profiles. */
export function profileRoutes(app: App, deps: Deps): void {
  const schema = { hide: true, params: shownCustomerParams, body: profileBody, response: { 200: profileAnswer } };
  app.put("/customers/:id/profile", { config, schema }, async (request) => {
    const { storefrontId: id } = await editByHand(deps, request.params.id, {
      ...request.body,
      staffUid: request.staff.uid,
    });
    return { data: { id } };
  });

  const entered = { hide: true, body: newCustomerBody, response: { 200: profileAnswer } };
  app.post("/customers", { config, schema: entered }, async (request) => {
    const { request_uid: requestUid, shares_email: sharesEmail, id, profile } = request.body;
    const staffUid = request.staff.uid;
    const created = await enterByHand(deps, { requestUid, id, profile, sharesEmail, staffUid });
    return { data: { id: created.storefrontId } };
  });

  const held = { hide: true, querystring: holdersQuery, response: { 200: holdersAnswer } };
  app.get("/email-holders", { config, schema: held }, async (request) => {
    const holders = await selectByEmail(deps.db, request.query.email.toLowerCase());
    return { data: holders.map(({ storefrontId: id, name }) => ({ id, name })) };
  });
}
