import { type Static, Type } from "typebox";

export const signInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
});

/** Instead of the password, a code of the second factor. */
export const confirmBody = Type.Object({
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
});

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
  language: Type.Optional(Type.Union([Type.Literal("en"), Type.Literal("ja"), Type.Null()])),
  current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
});

export const totpOnBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 20 }),
  current_password: Type.String({ minLength: 1, maxLength: 1_000 }),
});

export const codeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) });

const staffSchema = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Unsafe<"owner" | "manager" | "support" | "viewer">({ type: "string" }),
  language: Type.Unsafe<"en" | "ja" | null>({ type: ["string", "null"] }),
  has_totp: Type.Boolean(),
  has_made_password: Type.Boolean({ description: "The password was made by the service: choose another." }),
});

const storeSchema = Type.Object({
  name: Type.String(),
  currency: Type.String(),
  currency_digits: Type.Integer(),
  time_zone: Type.String(),
});

export const sessionAnswer = Type.Object({
  data: Type.Object({
    staff: Type.Unsafe<Static<typeof staffSchema> | null>({ ...staffSchema, type: ["object", "null"] }),
    permissions: Type.Array(Type.String()),
    setup_needed: Type.Boolean(),
    totp_needed: Type.Boolean({ description: "The role must have a second factor, and this person has none yet." }),
    store: Type.Unsafe<Static<typeof storeSchema> | null>({ ...storeSchema, type: ["object", "null"] }),
    approval_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    daily_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
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

export type SessionStore = Static<typeof storeSchema>;
export type SessionState = Static<typeof sessionAnswer>["data"];
export type SessionStaff = Static<typeof staffSchema>;
export type TotpDraft = Static<typeof totpAnswer>["data"];
export type ShownOpenLink = Static<typeof linkAnswer>["data"];
export type PasswordChoice = Static<typeof choiceAnswer>["data"];
