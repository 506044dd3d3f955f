import { flagCodec, integerCodec, listCodec, oneOfCodec, record, textCodec } from "../db/json-codec.ts";

export const ACTIVITIES = ["active", "lapsing", "once", "never"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Conditions that all have to hold; an absent condition holds for every customer. Money is in minor units. */
export interface SegmentFilter {
  readonly spendMin?: number;
  readonly spendMax?: number;
  readonly ordersMin?: number;
  readonly ordersMax?: number;
  /** Days since the last order: at most this number; in `notOrderedForDays`, more than this number. */
  readonly orderedWithinDays?: number;
  readonly notOrderedForDays?: number;
  readonly activity?: Activity;
  /** Store days since points were earned, or expiry was extended otherwise: Home's customers with points activity. */
  readonly activeWithinDays?: number;
  readonly pointsMin?: number;
  readonly pointsMax?: number;
  /** Has points that expire within this number of months of the store; 1 is the present month only. */
  readonly expiringWithinMonths?: number;
  readonly tiers?: readonly string[];
  /** Customers with one of the tags match; upper and lower case are equal. */
  readonly tags?: readonly string[];
  readonly withoutTags?: readonly string[];
  readonly birthdayMonth?: number;
  readonly acceptsMarketing?: boolean;
  /** The first part of their locale: `ja` of `ja-JP`; `und`: unknown. */
  readonly language?: string;
  readonly joinedWithinDays?: number;
  /** The store's month in which they joined: `2026-03`. */
  readonly joinedMonth?: string;
  /** The store's month of their first order: `2026-03`. */
  readonly firstOrderedMonth?: string;
  /** The store's month in which they began to lapse, for customers who are still lapsing: `2026-03`. */
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
  activeWithinDays: integerCodec,
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
