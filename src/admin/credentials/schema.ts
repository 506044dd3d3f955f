import { type Static, Type } from "typebox";
import { REQUEST_OUTCOMES, type RequestOutcome, SCOPES, type Scope } from "../../wire/access.ts";

const scope = Type.Unsafe<Scope>({ type: "string", enum: [...SCOPES] });
const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });

const credentialSchema = Type.Object({
  name: Type.String(),
  key: Type.String(),
  scopes: Type.Array(scope),
  is_store: Type.Boolean({ description: "The store's own: its secret is the API secret key." }),
  created_at: Type.String(),
  last_used_at: nullableText,
  revoked_at: nullableText,
});

export const credentialsAnswer = Type.Object({ data: Type.Array(credentialSchema), next: Type.Null() });

export const credentialBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(scope, { minItems: 1, maxItems: 5 }),
});
/** Only the store's own credential may have no scope; it then grants no access but still signs. */
export const scopesBody = Type.Object({ scopes: Type.Array(scope, { maxItems: 5 }) });
export const credentialParams = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) });

export const madeCredentialAnswer = Type.Object({
  data: Type.Object({ key: Type.String(), secret: Type.String({ description: "Shown this once." }) }),
});
export const storeKeyAnswer = Type.Object({
  data: Type.Object({
    next_since: nullableText,
    is_fixed: Type.Boolean({ description: "Set by POINTKEEPER_API_SECRET, and changed there." }),
  }),
});
export const storeSecretAnswer = Type.Object({ data: Type.Object({ secret: Type.String() }) });
export const credentialDoneAnswer = Type.Object({ data: Type.Object({}) });

/** Requests of the last 24 hours from unknown senders. */
export const authFailuresAnswer = Type.Object({
  data: Type.Object({
    failures: Type.Integer(),
    addresses: Type.Array(
      Type.Object({
        address: Type.Unsafe<string | null>({ type: ["string", "null"], description: "null: all others together." }),
        failures: Type.Integer(),
        last_at: Type.String(),
      }),
      { description: "The ten with most." },
    ),
  }),
});

export type ShownAuthFailures = Static<typeof authFailuresAnswer>["data"];
export type CredentialRow = Static<typeof credentialSchema>;
export type NewCredential = Static<typeof madeCredentialAnswer>["data"];
export type StoreKeyState = Static<typeof storeKeyAnswer>["data"];

const storefrontKeySchema = Type.Object({
  name: Type.String(),
  key_id: Type.String(),
  can_redeem: Type.Boolean({ description: "Whether its tokens may redeem points." }),
  created_at: Type.String(),
  last_used_at: nullableText,
  revoked_at: nullableText,
});
export const storefrontAnswer = Type.Object({
  data: Type.Object({
    keys: Type.Array(storefrontKeySchema, { description: "Revoked ones last." }),
    origins: Type.Array(Type.String(), { description: "Whose pages may use tokens of customers." }),
  }),
});
export const storefrontKeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  can_redeem: Type.Boolean(),
});
export const madeStorefrontKeyAnswer = Type.Object({
  data: Type.Object({ key_id: Type.String(), secret: Type.String({ description: "Shown this once." }) }),
});

export type ShownStorefront = Static<typeof storefrontAnswer>["data"];
export type StorefrontKeyRow = Static<typeof storefrontKeySchema>;
export type NewStorefrontKey = Static<typeof madeStorefrontKeyAnswer>["data"];

export const loggedRequestsQuery = Type.Object({
  outcome: Type.Optional(Type.Unsafe<RequestOutcome>({ type: "string", enum: [...REQUEST_OUTCOMES] })),
  request_id: Type.Optional(Type.String({ maxLength: 128 })),
  after: Type.Optional(Type.String({ maxLength: 200 })),
});
export const loggedRequestsAnswer = Type.Object({
  credential: Type.Object({ name: Type.String(), key: Type.String() }),
  hours: Type.Integer({ description: "How long a line is kept; 0: no log is written." }),
  unlisted: Type.Integer({ description: "Requests of these hours beyond what is listed." }),
  data: Type.Array(
    Type.Object({
      uid: Type.String(),
      at: Type.String({ description: "When it was answered, by the machine's clock." }),
      route: Type.String({ description: "Method and pattern, never the URL." }),
      status: Type.Integer(),
      ms: Type.Number(),
      request_id: Type.String(),
    }),
  ),
  next: nullableText,
});

export type LoggedRequestsPage = Static<typeof loggedRequestsAnswer>;
export type LoggedRequestRow = LoggedRequestsPage["data"][number];
