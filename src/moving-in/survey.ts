import { big, type Codec, integerCodec, listCodec, mapOf, record, textCodec } from "../db/json-codec.ts";
import type { MemberSums } from "./member-sums.ts";

/** What the check of an uploaded file adds up; its rows and faults are counted with the import. */
export type Survey = Omit<MemberSums, "rows" | "validRows" | "faultCount" | "faults">;

/** `import.survey`. A field that is added needs `withDefault`. */
export const surveyCodec: Codec<Survey> = record<Survey>({
  points: big,
  worthMinor: big,
  members: integerCodec,
  withPoints: integerCodec,
  foundByEmail: integerCodec,
  foundById: integerCodec,
  created: integerCodec,
  spentMinor: big,
  byExpiry: mapOf(big),
  byTier: mapOf(integerCodec),
  unknownTiers: listCodec(textCodec),
});
