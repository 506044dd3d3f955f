import { type Static, Type } from "typebox";
import { HISTORY_SOURCE_MAX } from "../../history/history.ts";
import { Nullable } from "../../http/nullable.ts";
import { VENDOR_NAMES } from "../../moving-in/vendors/index.ts";
import { IMPORT_ORIGINS, REASON_TYPES } from "../../wire/allotment-choices.ts";
import { DAY_FORMS } from "../../wire/day-forms.ts";
import { ENCODINGS, SEPARATORS, UPLOAD_KINDS } from "../../wire/import-fields.ts";
import { LANGUAGES } from "../../wire/language.ts";
import { WIRE_NOTE_MAX } from "../../wire/limits.ts";

const text = Type.String();
const nullableText = Nullable(text);
const count = Type.Integer({ minimum: 0 });
const column = Type.Optional(Type.Integer({ minimum: 0, maximum: 999 }));

const kind = Type.Enum([...UPLOAD_KINDS]);
const encoding = Type.Enum([...ENCODINGS]);
const separator = Type.Enum([...SEPARATORS]);
const language = Type.Optional(Type.Enum([...LANGUAGES]));
const phase = Type.Enum(["check", "warning", "import", "undo"]);
const origin = Type.Enum([...IMPORT_ORIGINS]);
const reasonType = Type.Enum([...REASON_TYPES]);

/** The position of each field's column in a row, from 0. */
const columns = Type.Object(
  {
    customer: column,
    points: column,
    extension: column,
    reason: column,
    note: column,
    expires_at: column,
    tier: column,
    minimum_tier: column,
    skip_next_check: column,
    id: column,
    email: column,
    name: column,
    birthday: column,
    accepts_marketing: column,
    account_enabled: column,
    name_reading: column,
    first_name: column,
    last_name: column,
    earned_at: column,
    tier_until: column,
    spent: column,
    happened_at: column,
    entry: column,
  },
  { additionalProperties: false },
);

const options = Type.Object({
  origin,
  extends: Type.Boolean({ description: "Where a row does not say it." }),
  reason_type: Type.Union([reasonType, Type.Null()]),
  note: Nullable(Type.String({ maxLength: WIRE_NOTE_MAX })),
  sets_balance: Type.Optional(
    Type.Boolean({
      description: "Of points: a row says what the balance becomes, and not what is added. Default: false.",
    }),
  ),
  vendor: Type.Optional(
    Type.Union([Type.Enum([...VENDOR_NAMES]), Type.Null()], { description: "Of a file of another app: whose it is." }),
  ),
  again: Type.Optional(
    Type.Boolean({
      description:
        "Of a file of another app: customers who received points from an earlier file of the app get those of this one as well. Of spend with a source: what an earlier file of the app brought counts once more. Default: false, such rows are left out.",
    }),
  ),
  as_of: Type.Optional(
    Nullable(
      Type.String({
        format: "date",
        description:
          "Of a file of another app: the day at whose start it was exported. Orders placed before that and known here later earn nothing. Null: before it is brought in.",
      }),
    ),
  ),
  source: Type.Optional(
    Nullable(Type.String({ maxLength: HISTORY_SOURCE_MAX, description: "Of spend and history: the app's name." })),
  ),
  days: Type.Optional(Type.Enum([...DAY_FORMS], { description: "Of spend and history: how days are written." })),
  move_days: Type.Optional(
    Type.Union([Type.Enum([...DAY_FORMS]), Type.Null()], {
      description: "Of a file of another app: how days are written. Null: as the app writes them.",
    }),
  ),
  keep_tiers_until: Type.Optional(
    Nullable(
      Type.String({
        format: "date",
        description: "Of a file of another app: no check drops anybody below its tier before the end of this day.",
      }),
    ),
  ),
  match_by_email: Type.Optional(
    Type.Boolean({
      description: "Of customers: a row means the customer of its e-mail, and its id is not taken. Default: false.",
    }),
  ),
});

export const uploadQuery = Type.Object({
  kind,
  name: Type.String({ minLength: 1, maxLength: 255, description: "The file's name." }),
});

export const importsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 255, description: "A part of the file's name, or of who uploaded it." })),
  after: Type.Optional(text),
});
export const importParams = Type.Object({ uid: text });
export const sampleQuery = Type.Object({ encoding: Type.Optional(encoding), separator: Type.Optional(separator) });
export const faultsQuery = Type.Object({
  phase,
  language,
  after: Type.Optional(Type.String({ pattern: "^\\d{1,10}-[a-z_]{0,40}$", expected: "a `next` of this list" })),
});
export const faultFileQuery = Type.Object({ phase, language });

export const checkBody = Type.Object({ encoding, separator, has_header: Type.Boolean(), columns, options });

const totals = Type.Object({
  row_count: Type.Integer({ description: "Worked through." }),
  good_count: Type.Integer({ description: "Of them without a fault." }),
  fault_count: count,
  points_added: count,
  points_taken: Type.Integer({ minimum: 0, description: "Without a sign." }),
  customers: Type.Optional(
    Type.Object(
      { created_count: count, updated_count: count, unchanged_count: count },
      { description: "Of a file of customers: what its valid rows do, or would do." },
    ),
  ),
});

const state = Type.Enum([
  "uploading",
  "uploaded",
  "checking",
  "checked",
  "importing",
  "imported",
  "undoing",
  "undone",
  "given_up",
]);

const importRow = Type.Object({
  uid: text,
  kind,
  state,
  file_name: text,
  created_at: text,
  created_by: text,
  byte_count: count,
  line_count: Type.Integer({ description: "About." }),
  error: Nullable(
    Type.Object({ code: text, line: Type.Integer() }, { description: "Why it cannot be read, or does not go on." }),
  ),
  check: Nullable(totals),
  customer_count: Nullable(count),
  largest_points: Nullable(count),
  warning_count: count,
  import: Nullable(totals),
  undo: Nullable(totals),
  started_at: nullableText,
  started_by: nullableText,
  finished_at: nullableText,
  undone_at: nullableText,
  undone_by: nullableText,
});

/** A summary of another app's file. Money is in minor units of the store's currency. */
const survey = Type.Object({
  points: count,
  worth: count,
  with_points: count,
  found_by_email: count,
  found_by_id: count,
  created: count,
  spent: count,
  by_expiry: Type.Array(
    Type.Object({ month: Type.String({ description: "Empty: by the store's program." }), points: count }),
  ),
  by_tier: Type.Array(Type.Object({ name: text, rows: count, is_known: Type.Boolean() })),
  earlier: Type.Array(
    Type.Object({
      move: text,
      source: Type.String({ description: "The app's name." }),
      is_same_app: Type.Boolean({ description: "Whether it is the app of this file." }),
      started_at: text,
      customers: Type.Integer({ description: "Customers of this file whom it gave points." }),
      points: count,
    }),
    { description: "Earlier files of other apps that gave customers of this file points, and were not undone." },
  ),
});

const part = Type.Object({
  ...{ uid: text, kind, state, row_count: count },
  has_failed: Type.Boolean({ description: "It could not be read, and the imports after it wait for it." }),
});

const importDetail = Type.Object({
  ...importRow.properties,
  encoding,
  separator,
  has_header: Type.Boolean(),
  columns,
  options,
  needs_another: Type.Boolean({
    description: "To start it, or to undo it once it is imported, the reader needs a second person's approval.",
  }),
  excess: Nullable(Type.String({ description: "Which limit it passes: `customer` or `day`." })),
  approval_limit: Nullable(count),
  daily_limit: Nullable(count),
  waiting: Nullable(
    Type.Object(
      { request_uid: text, requested_by: text, requested_at: text, expires_at: text, is_own: Type.Boolean() },
      { description: "The request that a second person decides: until then it stays as it is." },
    ),
  ),
  approval: Nullable(
    Type.Object(
      { by: text, at: text },
      { description: "The second person who approved its start. Null: none had to." },
    ),
  ),
  undo_approval: Nullable(Type.Object({ by: text, at: text }, { description: "The same of its undoing." })),
  tier_moves: Nullable(
    Type.Object(
      { raised_count: count, lowered_count: count, unchanged_count: count },
      {
        description:
          "Of a checked file of tiers: customers whom it would move to a higher tier, to a lower one, or leave in theirs. Null: it is not one, or has more than 200,000 rows.",
      },
    ),
  ),
  undo_until: Nullable(Type.String({ description: "Null: it was not imported, or cannot be undone." })),
  survey: Nullable(survey),
  is_part: Type.Boolean({
    description:
      "It belongs to a file of another app, or to the command `pointkeeper import`, which alone checks and starts it.",
  }),
  parts: Type.Array(part, { description: "Of a file of another app: the imports that it consists of." }),
});

const vendor = Type.Object({
  name: text,
  title: text,
  columns,
  leaves_out: Type.Array(Type.Object({ en: text, ja: text })),
});

const sample = Type.Object({
  rows: Type.Array(Type.Array(text)),
  columns: Nullable(columns),
  vendors: Type.Array(vendor, { description: "Of a file of another app: the apps, and how each would be read." }),
});

const faultRow = Type.Object({
  line: Type.Integer(),
  code: text,
  member: nullableText,
  value: nullableText,
  detail: text,
});

export const importsAnswer = Type.Object({ data: Type.Array(importRow), next: nullableText });
export const importAnswer = Type.Object({ data: importDetail });
export const sampleAnswer = Type.Object({ data: sample });
export const faultsAnswer = Type.Object({ data: Type.Array(faultRow), next: nullableText });

export type ImportVendor = Static<typeof vendor>;
export type ImportSurvey = Static<typeof survey>;
export type ImportKindName = Static<typeof kind>;
export type ImportRow = Static<typeof importRow>;
export type ImportDetail = Static<typeof importDetail>;
export type ImportTotals = Static<typeof totals>;
export type ImportsQuery = Static<typeof importsQuery>;
export type ImportsAnswer = Static<typeof importsAnswer>;
export type ImportAnswer = Static<typeof importAnswer>;
export type ImportColumns = Static<typeof columns>;
export type ImportOptionsBody = Static<typeof options>;
export type CheckBody = Static<typeof checkBody>;
export type SampleAnswer = Static<typeof sampleAnswer>;
export type FaultRow = Static<typeof faultRow>;
export type FaultsAnswer = Static<typeof faultsAnswer>;
export type FaultPhase = Static<typeof phase>;
