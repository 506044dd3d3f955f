import { confirmApiSecretKey } from "../../credentials/confirm-api-secret-key.ts";
import { createCredential } from "../../credentials/create-credential.ts";
import { listCredentials } from "../../credentials/list-credentials.ts";
import { revokeCredential } from "../../credentials/revoke-credential.ts";
import { rotateApiSecretKey } from "../../credentials/rotate-api-secret-key.ts";
import { setCredentialScopes } from "../../credentials/set-credential-scopes.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { formatInstant } from "../../time/store-time.ts";
import { selectAuthFailures, selectNextKeySince } from "./queries.ts";
import {
  authFailuresAnswer,
  credentialBody,
  credentialDoneAnswer,
  credentialParams,
  credentialsAnswer,
  madeCredentialAnswer,
  scopesBody,
  storeKeyAnswer,
  storeSecretAnswer,
} from "./schema.ts";
import { credentialView, viewAuthFailures } from "./view.ts";

const config = { permission: "credentials.manage" } as const;

/** `/credentials` and `/store-key`: the credentials of the API, and the secret that signs deliveries. */
export function credentialsAdminRoutes(app: App, deps: Deps): void {
  app.get("/credentials", { config, schema: { hide: true, response: { 200: credentialsAnswer } } }, async () => ({
    data: (await listCredentials(deps)).map(credentialView),
    next: null,
  }));

  app.post(
    "/credentials",
    { config, schema: { hide: true, body: credentialBody, response: { 200: madeCredentialAnswer } } },
    async (request) => ({ data: await createCredential(deps, request.body) }),
  );

  app.delete(
    "/credentials/:key",
    { config, schema: { hide: true, params: credentialParams, response: { 200: credentialDoneAnswer } } },
    async (request) => {
      await revokeCredential(deps, request.params.key);
      return { data: {} };
    },
  );

  app.put(
    "/credentials/:key/scopes",
    {
      config,
      schema: { hide: true, params: credentialParams, body: scopesBody, response: { 200: credentialDoneAnswer } },
    },
    async (request) => {
      await setCredentialScopes(deps, request.params.key, request.body.scopes);
      return { data: {} };
    },
  );

  app.get("/auth-failures", { config, schema: { hide: true, response: { 200: authFailuresAnswer } } }, async () => ({
    data: viewAuthFailures(await selectAuthFailures(deps.db, deps.clock.now())),
  }));

  storeKeyRoutes(app, deps);
}

/** Rotates the API secret key, with an overlap. */
function storeKeyRoutes(app: App, deps: Deps): void {
  app.get("/store-key", { config, schema: { hide: true, response: { 200: storeKeyAnswer } } }, async () => {
    const since = await selectNextKeySince(deps.db);
    return {
      data: {
        next_since: since === null ? null : formatInstant(since),
        is_fixed: deps.config.apiSecret !== undefined,
      },
    };
  });

  app.post("/store-key", { config, schema: { hide: true, response: { 200: storeSecretAnswer } } }, async () => ({
    data: await rotateApiSecretKey(deps),
  }));

  app.post(
    "/store-key/confirm",
    { config, schema: { hide: true, response: { 200: credentialDoneAnswer } } },
    async () => {
      await confirmApiSecretKey(deps);
      return { data: {} };
    },
  );
}
