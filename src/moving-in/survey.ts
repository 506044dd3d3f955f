import {
  big,
  type Codec,
  instant,
  integerCodec,
  listCodec,
  mapOf,
  record,
  textCodec,
  withDefault,
} from "../db/json-codec.ts";
import type { EarlierMove, MemberSums } from "./member-sums.ts";

/** The sums of an uploaded file's check; its rows and faults are counted with the import. */
export type Survey = Omit<MemberSums, "rows" | "validRows" | "leftOut" | "unresolved" | "faultCount" | "faults">;

const earlierCodec: Codec<EarlierMove> = record<EarlierMove>({
  moveUid: textCodec,
  source: textCodec,
  at: instant,
  customers: integerCodec,
  points: big,
});

/** `import.survey`. A new field needs `withDefault`. */
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
  earlier: withDefault(listCodec(earlierCodec), []),
});
