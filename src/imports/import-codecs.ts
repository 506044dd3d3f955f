import {
  type Codec,
  flagCodec,
  instant,
  nullableCodec,
  oneOfCodec,
  record,
  textCodec,
  withDefault,
} from "../db/json-codec.ts";
import type { StoredTier } from "../tiers/tier-queries.ts";
import { ORIGINS, REASON_TYPES } from "../wire/allotment-choices.ts";
import { DAY_FORMS } from "../wire/day-forms.ts";
import { DEFAULT_OPTIONS } from "./csv-import.ts";
import type { ImportOptions, MoveOfPart } from "./read/row-values.ts";

const moveCodec = record<MoveOfPart>({ uid: textCodec, source: textCodec, uploadedAt: instant }, ["uploadedAt"]);

/** `import.options`: none are stored before a file is checked for the first time. */
export const optionsCodec: Codec<ImportOptions> = record<ImportOptions>({
  origin: withDefault(oneOfCodec(...ORIGINS), DEFAULT_OPTIONS.origin),
  extends: withDefault(flagCodec, DEFAULT_OPTIONS.extends),
  reasonType: withDefault(nullableCodec(oneOfCodec(...REASON_TYPES)), DEFAULT_OPTIONS.reasonType),
  note: withDefault(nullableCodec(textCodec), DEFAULT_OPTIONS.note),
  matchByEmail: withDefault(flagCodec, DEFAULT_OPTIONS.matchByEmail),
  addsOnly: withDefault(flagCodec, DEFAULT_OPTIONS.addsOnly),
  exactIds: withDefault(flagCodec, DEFAULT_OPTIONS.exactIds),
  setsBalance: withDefault(flagCodec, DEFAULT_OPTIONS.setsBalance),
  again: withDefault(flagCodec, DEFAULT_OPTIONS.again),
  asOf: withDefault(nullableCodec(instant), DEFAULT_OPTIONS.asOf),
  move: withDefault(nullableCodec(moveCodec), DEFAULT_OPTIONS.move),
  vendor: withDefault(nullableCodec(textCodec), DEFAULT_OPTIONS.vendor),
  source: withDefault(nullableCodec(textCodec), DEFAULT_OPTIONS.source),
  days: withDefault(oneOfCodec(...DAY_FORMS), DEFAULT_OPTIONS.days),
  moveDays: withDefault(nullableCodec(oneOfCodec(...DAY_FORMS)), DEFAULT_OPTIONS.moveDays),
  keepTiersUntil: withDefault(nullableCodec(instant), DEFAULT_OPTIONS.keepTiersUntil),
});

/** `import_row.before` and `after`: a customer's tier. A new field needs `withDefault`, or is optional. */
export const tierCodec: Codec<StoredTier> = record<StoredTier>(
  {
    tierUid: nullableCodec(textCodec),
    minimumTierUid: nullableCodec(textCodec),
    skipNextCheck: flagCodec,
    keptTierUid: nullableCodec(textCodec),
    keptUntil: nullableCodec(instant),
  },
  ["keptTierUid", "keptUntil"],
);
