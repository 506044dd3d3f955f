import { flagCodec, integerCodec, listCodec, oneOfCodec, record, textCodec } from "../db/json-codec.ts";

export const ACTIVITIES = ["active", "lapsing", "once", "never"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Conditions that all have to hold; an absent one holds for everybody. Money is minor units. */
export interface SegmentFilter {
  readonly spendMin?: number;
  readonly spendMax?: number;
  readonly ordersMin?: number;
  readonly ordersMax?: number;
  /** Whole days since the last order: within so many, or before. */
  readonly orderedWithinDays?: number;
  readonly notOrderedForDays?: number;
  readonly activity?: Activity;
  readonly pointsMin?: number;
  readonly pointsMax?: number;
  /** Has points that expire in this month of the store (1) or one of the next. */
  readonly expiringWithinMonths?: number;
  readonly tiers?: readonly string[];
  /** In any case; one of them is enough. */
  readonly tags?: readonly string[];
  readonly withoutTags?: readonly string[];
  readonly birthdayMonth?: number;
  readonly acceptsMarketing?: boolean;
  /** The first part of their locale: `ja` of `ja-JP`; `und`: it is not known. */
  readonly language?: string;
  readonly joinedWithinDays?: number;
  /** The store's month in which they joined: 2026-03. */
  readonly joinedMonth?: string;
  /** The same of their first order. */
  readonly firstOrderedMonth?: string;
  /** The same in which they began to lapse: they do still. */
  readonly lapsedMonth?: string;
}

const CODECS = {
  spendMin: integerCodec,
  spendMax: integerCodec,
  ordersMin: integerCodec,
  ordersMax: integerCodec,
  orderedWithinDays: integerCodec,
  notOrderedForDays: integerCodec,
  activity: oneOfCodec(...ACTIVITIES),
  pointsMin: integerCodec,
  pointsMax: integerCodec,
  expiringWithinMonths: integerCodec,
  tiers: listCodec(textCodec),
  tags: listCodec(textCodec),
  withoutTags: listCodec(textCodec),
  birthdayMonth: integerCodec,
  acceptsMarketing: flagCodec,
  language: textCodec,
  joinedWithinDays: integerCodec,
  joinedMonth: textCodec,
  firstOrderedMonth: textCodec,
  lapsedMonth: textCodec,
};

const NAMES = Object.keys(CODECS) as readonly (keyof SegmentFilter)[]; // cast: the keys of the literal above

export const segmentFilter = record<SegmentFilter>(CODECS, NAMES);
