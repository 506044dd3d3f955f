import { type Static, Type } from "typebox";

export const signInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
});

export const setupBody = Type.Object({
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

export const sessionAnswer = Type.Object({
  data: Type.Object({
    staff: Type.Unsafe<Static<typeof staffSchema> | null>({ ...staffSchema, type: ["object", "null"] }),
    permissions: Type.Array(Type.String()),
    setup_needed: Type.Boolean(),
    store: Type.Object({
      name: Type.String(),
      currency: Type.String(),
      currency_digits: Type.Integer(),
      time_zone: Type.String(),
    }),
    approval_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    daily_limit: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
  }),
});

export const doneAnswer = Type.Object({ data: Type.Object({}) });

export const totpAnswer = Type.Object({
  data: Type.Object({ uri: Type.String(), secret: Type.String() }),
});

export type SessionState = Static<typeof sessionAnswer>["data"];
export type SessionStaff = Static<typeof staffSchema>;
export type TotpDraft = Static<typeof totpAnswer>["data"];
