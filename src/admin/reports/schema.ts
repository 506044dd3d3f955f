import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { LANGUAGES } from "../../wire/language.ts";
import { REPORT_ADDRESSES_MAX, REPORT_FREQUENCIES, REPORT_KINDS, REPORT_STATES } from "../../wire/reports.ts";
import { seenRevision } from "../seen-revision.ts";

const text = Type.String();
const kind = Type.Enum([...REPORT_KINDS]);
const frequency = Type.Enum([...REPORT_FREQUENCIES]);

const settings = {
  is_on: Type.Boolean(),
  kinds: Type.Array(kind, { maxItems: REPORT_KINDS.length }),
  frequency,
  addresses: Type.Array(Type.String({ maxLength: 320 }), { maxItems: REPORT_ADDRESSES_MAX * 2 }),
  to_folder: Type.Boolean({ description: "Into the folder of POINTKEEPER_REPORTS_DIR too." }),
  language: Type.Enum([...LANGUAGES]),
};

const report = Type.Object({
  uid: text,
  kind,
  frequency,
  first_on: text,
  last_on: text,
  state: Type.Enum([...REPORT_STATES]),
  begun_at: text,
  ended_at: Nullable(text),
  file_name: Nullable(Type.String({ description: "Null: there is no file yet." })),
  byte_count: Nullable(Type.Integer()),
  mails: Type.Integer({ description: "Queued." }),
  was_attached: Nullable(Type.Boolean({ description: "False: too large, the mail has a link. Null: no mail." })),
  folder: Nullable(text),
  error: Nullable(Type.String({ description: "Of the last attempt." })),
});

export const reportsAnswer = Type.Object({
  data: Type.Object({
    ...settings,
    revision: text,
    has_mail: Type.Boolean({ description: "Whether a mail server is set." }),
    has_folder: Type.Boolean({ description: "Whether a folder is set." }),
    reports: Type.Array(report, { description: "The newest 100 of the last 90 days." }),
  }),
});

export const reportsBody = Type.Object({ ...settings, revision: seenRevision }, { additionalProperties: false });
export const reportFileParams = Type.Object({ uid: Type.String({ format: "uuid" }) });

export type ShownReports = Static<typeof reportsAnswer>["data"];
export type ShownReport = Static<typeof report>;
export type ReportsInput = Static<typeof reportsBody>;
