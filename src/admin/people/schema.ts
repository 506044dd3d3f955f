import { type Static, Type } from "typebox";

const role = Type.Unsafe<"owner" | "manager" | "support" | "viewer">({
  type: "string",
  enum: ["owner", "manager", "support", "viewer"],
});
const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });

export const personSchema = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role,
  has_totp: Type.Boolean(),
  has_made_password: Type.Boolean({ description: "Invited, and still with the password that was made." }),
  created_at: Type.String(),
  disabled_at: nullableText,
  seen_at: nullableText,
  sessions: Type.Integer(),
});

export const personParams = Type.Object({ uid: Type.String({ format: "uuid" }) });

export const inviteBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  role,
});

export const personBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  role: Type.Optional(role),
});

export const peopleAnswer = Type.Object({ data: Type.Array(personSchema), next: Type.Null() });
export const madePasswordAnswer = Type.Object({
  data: Type.Object({ uid: Type.String(), password: Type.String({ description: "Told this once." }) }),
});
export const personDoneAnswer = Type.Object({ data: Type.Object({ uid: Type.String() }) });

export type PersonRow = Static<typeof personSchema>;
export type InviteBody = Static<typeof inviteBody>;
export type MadePassword = Static<typeof madePasswordAnswer>["data"];
