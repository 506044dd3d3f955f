import { type Static, Type } from "typebox";
import { passkeyAnswer, passkeyMade } from "../../staff/passkeys/passkey-answer.ts";
import { LANGUAGES, type Language } from "../../wire/language.ts";
import { defaultViewSchema } from "../saved-views/schema.ts";
import { themeSchema } from "../theme/schema.ts";

export const signInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  passkey: Type.Optional(passkeyAnswer),
});

/** The password, or instead of it a code of the second factor or a passkey. */
export const confirmBody = Type.Object({
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  passkey: Type.Optional(passkeyAnswer),
});

export const passkeySignInBody = Type.Object({ passkey: passkeyAnswer });
const passkeyName = Type.String({ minLength: 1, maxLength: 100 });
export const passkeyBody = Type.Object({ name: passkeyName, passkey: passkeyMade });
export const passkeyNameBody = Type.Object({ name: passkeyName });
export const ownParams = Type.Object({ uid: Type.String({ format: "uuid" }) });
export const oidcQuery = Type.Object({}, { additionalProperties: true });

/** `code` is the one that the first start printed; `setup_code` is the same. */
export const setupBody = Type.Object({
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  setup_code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  email: Type.String({ minLength: 1, maxLength: 320 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
});

export const accountBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  language: Type.Optional(Type.Union([...LANGUAGES.map((language) => Type.Literal(language)), Type.Null()])),
  current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
});

export const totpOnBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 20 }),
  current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
});

export const codeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) });

const staffSchema = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Unsafe<"owner" | "manager" | "support" | "viewer">({ type: "string" }),
  language: Type.Unsafe<Language | null>({ type: ["string", "null"] }),
  has_totp: Type.Boolean(),
  has_password: Type.Boolean(),
  has_identity: Type.Boolean({ description: "The identity provider signs them in." }),
  passkeys: Type.Integer(),
  has_made_password: Type.Boolean({ description: "The password was made by the service: choose another." }),
});

const storeSchema = Type.Object({
  name: Type.String(),
  currency: Type.String(),
  currency_digits: Type.Integer(),
  time_zone: Type.String(),
  theme: themeSchema,
});

const signInMethods = Type.Object({
  password: Type.Boolean({ description: "Not where the identity provider is the only way." }),
  passkeys: Type.Boolean({ description: "Whether browsers take passkeys at PUBLIC_URL." }),
  oidc: Type.Unsafe<string | null>({ type: ["string", "null"], description: "The name of the identity provider." }),
  can_unlink: Type.Boolean({
    description: "Whether people may end their link to the provider: not where it is the only way, or gives the roles.",
  }),
});

export const sessionAnswer = Type.Object({
  data: Type.Object({
    ways_in: signInMethods,
    confirmed_until: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Until then nobody is asked to confirm that it is them; null: they are.",
    }),
    staff: Type.Unsafe<Static<typeof staffSchema> | null>({ ...staffSchema, type: ["object", "null"] }),
    permissions: Type.Array(Type.String()),
    setup_needed: Type.Boolean(),
    totp_needed: Type.Boolean({ description: "The role must have a second factor, and this person has none yet." }),
    theme: themeSchema,
    store: Type.Unsafe<Static<typeof storeSchema> | null>({ ...storeSchema, type: ["object", "null"] }),
    approval_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    daily_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    default_views: Type.Array(defaultViewSchema, {
      description: "The views with which this person's navigation opens lists, at most one for each list.",
    }),
  }),
});

const linkToken = Type.String({ minLength: 1, maxLength: 100 });
export const linkBody = Type.Object({ token: linkToken });
export const choiceBody = Type.Object({ token: linkToken, password: Type.String({ minLength: 1, maxLength: 1_000 }) });

export const linkAnswer = Type.Object({
  data: Type.Object({
    name: Type.String(),
    email: Type.String(),
    kind: Type.Unsafe<"invitation" | "reset">({ type: "string" }),
    expires_at: Type.String(),
  }),
});

export const choiceAnswer = Type.Object({
  data: Type.Object({
    is_signed_in: Type.Boolean({ description: "Not where a second factor is on: sign in with it." }),
  }),
});

export const sessionDoneAnswer = Type.Object({ data: Type.Object({}) });

export const totpAnswer = Type.Object({
  data: Type.Object({ uri: Type.String(), secret: Type.String() }),
});

export const challengeAnswer = Type.Object({
  data: Type.Object({ challenge: Type.String(), rp_id: Type.String(), timeout_ms: Type.Integer() }),
});
export const makePasskeyAnswer = Type.Object({
  data: Type.Unsafe<object>({ type: "object", additionalProperties: true }),
});
export const oidcUrlAnswer = Type.Object({ data: Type.Object({ url: Type.String() }) });
export const codesAnswer = Type.Object({ data: Type.Object({ codes: Type.Array(Type.String()) }) });

const nullableTime = Type.Unsafe<string | null>({ type: ["string", "null"] });
const listedSession = Type.Object({
  uid: Type.String(),
  is_current: Type.Boolean(),
  method: Type.Unsafe<"password" | "passkey" | "oidc">({ type: "string" }),
  browser: nullableTime,
  system: nullableTime,
  address: nullableTime,
  created_at: Type.String(),
  seen_at: Type.String(),
});
export const sessionsAnswer = Type.Object({ data: Type.Array(listedSession) });

const listedPasskey = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  is_synced: Type.Boolean(),
  is_suspected: Type.Boolean({ description: "It may have been copied, and opens nothing." }),
  created_at: Type.String(),
  used_at: nullableTime,
});
export const factorsAnswer = Type.Object({
  data: Type.Object({ passkeys: Type.Array(listedPasskey), recovery_codes: Type.Integer() }),
});

export type ListedSessionRow = Static<typeof listedSession>;
export type PasskeyListed = Static<typeof listedPasskey>;
export type FactorsState = Static<typeof factorsAnswer>["data"];
export type SignInChallenge = Static<typeof challengeAnswer>["data"];
export type SignInMethods = Static<typeof signInMethods>;
export type SessionStore = Static<typeof storeSchema>;
export type SessionState = Static<typeof sessionAnswer>["data"];
export type SessionStaff = Static<typeof staffSchema>;
export type TotpDraft = Static<typeof totpAnswer>["data"];
export type ShownOpenLink = Static<typeof linkAnswer>["data"];
export type PasswordChoice = Static<typeof choiceAnswer>["data"];
