import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { LANGUAGES } from "../../wire/language.ts";
import { MAIL_CATEGORY_NAMES, MAIL_STATES } from "../../wire/mails.ts";
import { MESSAGE_DAYS, MESSAGE_HOURLY, MESSAGE_KINDS } from "../../wire/messages.ts";
import { seenRevision } from "../seen-revision.ts";

const text = Type.String();
const kind = Type.Enum([...MESSAGE_KINDS]);
const language = Type.Enum([...LANGUAGES]);
/** Lengths are checked together with the placeholders, for a clear fault. */
const longText = Type.String({ maxLength: 20_000 });
const written = Type.Object({ subject: longText, text: longText }, { additionalProperties: false });
const shown = Type.Object({
  subject: text,
  text,
  is_own: Type.Boolean({ description: "Written by the store; else the built-in text." }),
});

const message = Type.Object({
  kind,
  is_on: Type.Boolean(),
  days_before: Type.Integer({ description: "Of the reminder of points that expire." }),
  texts: Type.Object({ en: shown, ja: shown }),
  built_in: Type.Object({ en: written, ja: written }),
  revision: text,
});

const rules = {
  language,
  send_hour: Type.Integer({ minimum: 0, maximum: 23 }),
  hourly_max: Type.Integer({ minimum: MESSAGE_HOURLY.min, maximum: MESSAGE_HOURLY.max }),
};

export const messagesAnswer = Type.Object({
  data: Type.Object({
    ...rules,
    revision: text,
    has_mail: Type.Boolean({ description: "Whether a mail server is set." }),
    messages: Type.Array(message),
  }),
});

export const rulesBody = Type.Object({ ...rules, revision: seenRevision }, { additionalProperties: false });

export const messageParams = Type.Object({ kind });

export const messageBody = Type.Object(
  {
    is_on: Type.Boolean(),
    days_before: Type.Integer({ minimum: MESSAGE_DAYS.min, maximum: MESSAGE_DAYS.max }),
    texts: Type.Object(
      { en: Type.Optional(written), ja: Type.Optional(written) },
      {
        additionalProperties: false,
        description: "A language that is absent, or has the built-in text, keeps to that.",
      },
    ),
    revision: seenRevision,
  },
  { additionalProperties: false },
);

export const messagePreviewBody = Type.Object(
  {
    language,
    subject: longText,
    text: longText,
    customer_id: Nullable(Type.String({ maxLength: 1_000, description: "Or the e-mail. Null: made-up figures." })),
  },
  { additionalProperties: false },
);

export const messagePreviewAnswer = Type.Object({
  data: Type.Object({
    subject: text,
    text,
    is_sample: Type.Boolean({ description: "Some figures are made up." }),
  }),
});

export const messageTestAnswer = Type.Object({
  data: Type.Object({ to: text, state: Type.Enum(["queued", "repeated", "off", "full"]) }),
});

const mailFilterFields = {
  about: Type.Optional(Type.Enum([...MAIL_CATEGORY_NAMES])),
  state: Type.Optional(Type.Enum([...MAIL_STATES])),
  to: Type.Optional(Type.String({ maxLength: 320, description: "A whole address." })),
};
export const mailFilters = Type.Object(mailFilterFields);
export const mailQuery = Type.Object({ ...mailFilterFields, after: Type.Optional(Type.String({ maxLength: 100 })) });

const mail = Type.Object({
  uid: text,
  about: Type.Enum([...MAIL_CATEGORY_NAMES]),
  to: text,
  customer_id: Nullable(Type.String({ description: "Null: it is to a person of the store." })),
  subject: text,
  state: Type.Enum([...MAIL_STATES]),
  queued_at: text,
  ended_at: Nullable(text),
  attempts: Type.Integer(),
  error: Nullable(text),
});

export const mailPage = Type.Object({ data: Type.Array(mail), next: Nullable(text) });

export type ShownMessages = Static<typeof messagesAnswer>["data"];
export type ShownMessage = Static<typeof message>;
export type MessageInput = Static<typeof messageBody>;
export type MessageRulesInput = Static<typeof rulesBody>;
export type PreviewRequest = Static<typeof messagePreviewBody>;
export type ShownPreview = Static<typeof messagePreviewAnswer>["data"];
export type ShownMessageTest = Static<typeof messageTestAnswer>["data"];
export type MailFilterQuery = Static<typeof mailFilters>;
export type MailQuery = Static<typeof mailQuery>;
export type MailRow = Static<typeof mail>;
export type MailPage = Static<typeof mailPage>;
