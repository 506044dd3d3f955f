import { type Static, Type } from "typebox";

const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });
const fields = Type.Unsafe<Record<string, unknown> | null>({ description: "The fields that changed." });

const filterFields = {
  actor: Type.Optional(
    Type.String({ maxLength: 100, description: "A uid, or a kind: staff, credential, command, system." }),
  ),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  subject_kind: Type.Optional(Type.String({ maxLength: 100 })),
  subject_id: Type.Optional(Type.String({ maxLength: 1_000 })),
  from: Type.Optional(Type.String({ maxLength: 40, description: "A time, or a day of the store, its beginning." })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "A time, or a day of the store, its end." })),
};
export const auditFilters = Type.Object(filterFields);
export const auditQuery = Type.Object({ ...filterFields, after: Type.Optional(Type.String({ maxLength: 100 })) });

export type AuditQuery = Static<typeof auditQuery>;

export const auditParams = Type.Object({ id: Type.String({ pattern: "^[0-9]{1,18}$" }) });

export const auditEntrySchema = Type.Object({
  id: Type.String(),
  at: Type.String(),
  recorded_at: Type.String({ description: "The machine's time." }),
  actor: Type.Object({
    kind: Type.Unsafe<"staff" | "credential" | "command" | "system">({ type: "string" }),
    id: nullableText,
    name: Type.String(),
  }),
  address: nullableText,
  action: Type.String(),
  subject: Type.Object({
    kind: Type.String(),
    id: Type.String(),
    name: Type.Unsafe<string | null>({ type: ["string", "null"], description: "As it is called now." }),
  }),
  before: fields,
  after: fields,
});

export const auditAnswer = Type.Object({ data: Type.Array(auditEntrySchema), next: nullableText });
export const auditEntryAnswer = Type.Object({ data: auditEntrySchema });
export const auditChoicesAnswer = Type.Object({
  data: Type.Object({
    actions: Type.Array(Type.String()),
    actors: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  }),
});

export type AuditEntry = Static<typeof auditEntrySchema>;
export type AuditChoices = Static<typeof auditChoicesAnswer>["data"];
