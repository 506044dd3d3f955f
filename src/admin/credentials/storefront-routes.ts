import { Type } from "typebox";
import { allowStorefrontOrigin } from "../../credentials/allow-storefront-origin.ts";
import { createStorefrontKey } from "../../credentials/create-storefront-key.ts";
import { listStorefrontAccess } from "../../credentials/list-storefront-access.ts";
import { removeStorefrontOrigin } from "../../credentials/remove-storefront-origin.ts";
import { revokeStorefrontKey } from "../../credentials/revoke-storefront-key.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { credentialDoneAnswer, madeStorefrontKeyAnswer, storefrontAnswer, storefrontKeyBody } from "./schema.ts";
import { storefrontView } from "./view.ts";

const config = { permission: "credentials.manage" } as const;
const keyParams = Type.Object({ kid: Type.String({ minLength: 1, maxLength: 200 }) });
const originBody = Type.Object({ origin: Type.String({ minLength: 1, maxLength: 1_000 }) });

/** `/storefront`: keys that sign customer tokens, and the pages that may use them (docs/widget.md). */
export function storefrontAdminRoutes(app: App, deps: Deps): void {
  app.get("/storefront", { config, schema: { hide: true, response: { 200: storefrontAnswer } } }, async () => ({
    data: storefrontView(await listStorefrontAccess(deps)),
  }));

  app.post(
    "/storefront/keys",
    { config, schema: { hide: true, body: storefrontKeyBody, response: { 200: madeStorefrontKeyAnswer } } },
    async ({ body }) => {
      const { kid, secret } = await createStorefrontKey(deps, { name: body.name, canRedeem: body.can_redeem });
      return { data: { key_id: kid, secret } };
    },
  );

  app.delete(
    "/storefront/keys/:kid",
    { config, schema: { hide: true, params: keyParams, response: { 200: credentialDoneAnswer } } },
    async (request) => {
      await revokeStorefrontKey(deps, request.params.kid);
      return { data: {} };
    },
  );

  const change = { config, schema: { hide: true, body: originBody, response: { 200: credentialDoneAnswer } } };
  app.post("/storefront/origins", change, async (request) => {
    await allowStorefrontOrigin(deps, request.body.origin);
    return { data: {} };
  });
  app.delete("/storefront/origins", change, async (request) => {
    await removeStorefrontOrigin(deps, request.body.origin);
    return { data: {} };
  });
}
