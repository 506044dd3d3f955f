import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { ALERT_ADDRESSES_MAX, ALERT_KINDS } from "../../wire/alerts.ts";
import { LANGUAGES } from "../../wire/language.ts";
import { seenRevision } from "../seen-revision.ts";

const text = Type.String();
const kind = Type.Enum([...ALERT_KINDS]);
const language = Type.Enum([...LANGUAGES]);

const alert = Type.Object({
  uid: text,
  kind,
  text: Type.Object({ en: text, ja: text }),
  began_at: text,
  ended_at: Nullable(Type.String({ description: "Null: it is open." })),
  is_mailed: Type.Boolean({ description: "All that it has to say was mailed." }),
  is_posted: Type.Boolean({ description: "All that it has to say was taken by the webhook." }),
});

export const alertsAnswer = Type.Object({
  data: Type.Object({
    is_on: Type.Boolean(),
    kinds: Type.Array(kind),
    addresses: Type.Array(text),
    webhook_host: Nullable(Type.String({ description: "The rest of its address is a secret. Null: none is set." })),
    language,
    grant_percent: Type.Integer(),
    revision: text,
    has_mail: Type.Boolean({ description: "Whether a mail server is set." }),
    mailed_at: Nullable(text),
    webhook_at: Nullable(text),
    webhook_error: Nullable(Type.String({ description: "Of the last message; null: it was taken." })),
    alerts: Type.Array(alert, { description: "The newest 50 of the last 90 days." }),
  }),
});

export const alertsBody = Type.Object(
  {
    is_on: Type.Boolean(),
    kinds: Type.Array(kind, { maxItems: ALERT_KINDS.length }),
    addresses: Type.Array(Type.String({ maxLength: 320 }), { maxItems: ALERT_ADDRESSES_MAX * 2 }),
    webhook_url: Type.Optional(
      Nullable(Type.String({ maxLength: 2_048, description: "Null removes it; absent: it stays." })),
    ),
    language,
    grant_percent: Type.Integer({ minimum: 1, maximum: 100 }),
    revision: seenRevision,
  },
  { additionalProperties: false },
);

export const alertTestAnswer = Type.Object({
  data: Type.Object({
    mails: Type.Integer({ description: "Queued." }),
    has_mail: Type.Boolean(),
    webhook: Type.Enum(["none", "taken", "failed"]),
    webhook_error: Nullable(text),
  }),
});

export type ShownAlerts = Static<typeof alertsAnswer>["data"];
export type ShownAlert = Static<typeof alert>;
export type AlertsInput = Static<typeof alertsBody>;
export type ShownAlertTest = Static<typeof alertTestAnswer>["data"];
