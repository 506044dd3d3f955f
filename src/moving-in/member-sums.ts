import type { StoredIssue } from "../imports/issue.ts";
import type { TierRule } from "../program/program.ts";
import { localDate } from "../time/store-time.ts";
import type { EarlierPoints } from "./read-members.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import { dependsOnStore } from "./store-faults.ts";
import { textHash } from "./text-hash.ts";

/** The sums of a file, for comparison with the other app's own figures. */
export interface MemberSums {
  readonly rows: number;
  readonly validRows: number;
  readonly points: bigint;
  /** The value of the points as coupons, in minor units of the store's currency. */
  readonly worthMinor: bigint;
  /** The members in the valid rows, each counted once. */
  readonly members: number;
  /** The number of rows with points. */
  readonly withPoints: number;
  /** The number of members who are known by e-mail or by id, and of new ones. */
  readonly foundByEmail: number;
  readonly foundById: number;
  readonly created: number;
  /** Money spent in the other app, in minor units. */
  readonly spentMinor: bigint;
  /** Points by the month (YYYY-MM, in the store's time zone) of the last day on which they can be used; "": as the store's program says. */
  readonly byExpiry: ReadonlyMap<string, bigint>;
  /** Rows by tier, under the app's name. */
  readonly byTier: ReadonlyMap<string, number>;
  /** Tiers that the program does not have. */
  readonly unknownTiers: readonly string[];
  /** Earlier moves that gave points to some of these members, newest first, at most twenty. */
  readonly earlier: readonly EarlierMove[];
  /** Rows whose only fault is that an earlier move of the app gave their members points. */
  readonly leftOut: number;
  /** Rows that would be valid if other customers existed here. */
  readonly unresolved: number;
  readonly faultCount: number;
  /** The first faults. */
  readonly faults: readonly StoredIssue[];
}

/** An earlier move that gave points to members of the file. */
export interface EarlierMove {
  readonly moveUid: string;
  /** The app's name. */
  readonly source: string;
  readonly at: Temporal.Instant;
  /** The number of members of the file to whom it gave points. */
  readonly customers: number;
  readonly points: bigint;
}

const EARLIER_MAX = 20;
const FAULTS_MAX = 100;
/** The maximum number of tiers counted by name; a column with more is not a tier. */
const TIERS_MAX = 100;
/** The maximum number of months counted; a column with more is not an expiry. */
const MONTHS_MAX = 240;

/** The maximum number of members that are counted once; in a larger file, further members are counted once per row. */
const SEEN_MAX = 2_000_000;

/** The rules for summing. */
export interface SumRules {
  readonly timeZone: string;
  readonly pointWorth: bigint;
  readonly tiers: readonly TierRule[];
}

/** Sums the rows of a file as they are read. */
export function createMemberSums({ timeZone, pointWorth, tiers }: SumRules): {
  add(resolved: ResolvedMember): void;
  addFaults(faults: readonly StoredIssue[]): void;
  addEarlier(earlier: readonly EarlierPoints[]): void;
  sums(): MemberSums;
} {
  const found = { email: 0, id: 0, nothing: 0 };
  const byExpiry = new Map<string, bigint>();
  const byTier = new Map<string, number>();
  const faults: StoredIssue[] = [];
  const sum = { points: 0n, spentMinor: 0n, rows: 0, withPoints: 0, faulty: 0, leftOut: 0, unresolved: 0 };
  const seen = new Set<number>();
  const earlier = new Map<string, EarlierMove>();
  const seenEarlier = new Set<number>();
  const addExpiry = (at: Temporal.Instant | null, points: bigint) => {
    const month = at === null ? "" : localDate(at.subtract({ nanoseconds: 1 }), timeZone).slice(0, "YYYY-MM".length); // the last moment they hold
    if (byExpiry.has(month) || byExpiry.size < MONTHS_MAX) byExpiry.set(month, (byExpiry.get(month) ?? 0n) + points);
  };
  return {
    add({ member, foundBy, storefrontId }) {
      const key = textHash(storefrontId);
      if (!seen.has(key)) found[foundBy]++;
      if (seen.size < SEEN_MAX) seen.add(key);
      const { points, expiresAt, spentMinor, tier } = member;
      sum.rows++;
      sum.points += points;
      sum.spentMinor += spentMinor ?? 0n;
      if (points > 0n) {
        sum.withPoints++;
        addExpiry(expiresAt, points);
      }
      if (tier !== null && (byTier.has(tier) || byTier.size < TIERS_MAX)) byTier.set(tier, (byTier.get(tier) ?? 0) + 1);
    },
    addFaults(given) {
      sum.faulty++;
      if (given.every(({ code }) => code === "moved_before")) sum.leftOut++;
      else if (given.some(dependsOnStore)) sum.unresolved++;
      faults.push(...given.slice(0, FAULTS_MAX - faults.length));
    },
    addEarlier(given) {
      for (const { storefrontId, moved } of given) {
        const { moveUid, source, at, points } = moved;
        const key = textHash(`${moveUid} ${storefrontId}`);
        if (seenEarlier.has(key)) continue; // counted with another row of the member
        if (seenEarlier.size < SEEN_MAX) seenEarlier.add(key);
        const before = earlier.get(moveUid) ?? { moveUid, source, at, customers: 0, points: 0n };
        earlier.set(moveUid, { ...before, customers: before.customers + 1, points: before.points + points });
      }
    },
    sums() {
      const { points, spentMinor, rows: validRows, withPoints, faulty, leftOut, unresolved } = sum;
      return {
        ...{ rows: validRows + faulty, validRows, points, withPoints, spentMinor, faultCount: faulty, faults },
        ...{ leftOut, unresolved, foundByEmail: found.email, foundById: found.id, created: found.nothing },
        members: found.email + found.id + found.nothing,
        worthMinor: points * pointWorth,
        byExpiry: new Map([...byExpiry].toSorted(([a], [b]) => a.localeCompare(b))),
        byTier,
        earlier: [...earlier.values()].toSorted((a, b) => Temporal.Instant.compare(b.at, a.at)).slice(0, EARLIER_MAX),
        unknownTiers: [...byTier.keys()].filter((name) => tierNamed(tiers, name) === undefined),
      };
    },
  };
}

/** Returns the store's tier with the app's name, ignoring case; undefined: there is none. */
export function tierNamed(rules: readonly TierRule[], name: string): TierRule | undefined {
  const plain = (text: string) => text.normalize("NFKC").trim().toLowerCase();
  return rules.find((rule) => plain(rule.name) === plain(name));
}
