import { type Static, Type } from "typebox";

const role = Type.Unsafe<"owner" | "manager" | "support" | "viewer">({
  type: "string",
  enum: ["owner", "manager", "support", "viewer"],
});
const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });

const personSchema = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role,
  has_factor: Type.Boolean({ description: "A second factor is asked for beside the password." }),
  passkeys: Type.Integer(),
  has_identity: Type.Boolean({ description: "The identity provider signs them in." }),
  can_unlink: Type.Boolean({ description: "An owner may end the link; not where the role comes from the provider." }),
  has_made_password: Type.Boolean({ description: "Still with the password that was made." }),
  has_password: Type.Boolean({
    description: "Not of somebody who has not opened the link of the invitation or reset.",
  }),
  link_expires_at: nullableText,
  created_at: Type.String(),
  disabled_at: nullableText,
  seen_at: nullableText,
  sessions: Type.Integer(),
  mailed_by: Type.Array(Type.Unsafe<"alerts" | "reports">({ type: "string" }), {
    description:
      "The settings that have this address among those that get mails, whether or not the person is disabled.",
  }),
});

export const personSessionParams = Type.Object({
  uid: Type.String({ format: "uuid" }),
  session: Type.String({ format: "uuid" }),
});

export const personParams = Type.Object({ uid: Type.String({ format: "uuid" }) });

export const inviteBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  role,
  show_link: Type.Optional(Type.Boolean({ description: "The link is shown and not sent by mail." })),
});

export const resetQuery = Type.Object({
  show_link: Type.Optional(Type.Unsafe<"true" | "false">({ type: "string", enum: ["true", "false"] })),
});

export const personBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  role: Type.Optional(role),
});

export const peopleAnswer = Type.Object({ data: Type.Array(personSchema), next: Type.Null() });
export const madeLinkAnswer = Type.Object({
  data: Type.Object({
    uid: Type.String(),
    link: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Works once, until then; shown this once. Null: it was sent by mail.",
    }),
    mailed_to: nullableText,
    expires_at: Type.String(),
  }),
});
export const personDoneAnswer = Type.Object({ data: Type.Object({ uid: Type.String() }) });

const notice = Type.Object({
  uid: Type.String(),
  at: Type.String(),
  kind: Type.Unsafe<"invited" | "reset" | "totp_removed" | "raised" | "lowered" | "enabled" | "disabled">({
    type: "string",
  }),
  staff_uid: Type.String(),
  name: Type.String(),
  role,
  by_provider: Type.Boolean({ description: "By the identity provider, whose name stands in by_name." }),
  by_command: Type.Boolean({ description: "By a command on the machine, in whose name stands in by_name." }),
  by_name: Type.String(),
});

export const noticesAnswer = Type.Object({ data: Type.Array(notice) });
export const dismissBody = Type.Object({
  uids: Type.Array(Type.String({ format: "uuid" }), { minItems: 1, maxItems: 50 }),
});
export const dismissedAnswer = Type.Object({ data: Type.Object({}) });

export type AccessNotice = Static<typeof notice>;
export type PersonRow = Static<typeof personSchema>;
export type InviteBody = Static<typeof inviteBody>;
export type ShownLink = Static<typeof madeLinkAnswer>["data"];
