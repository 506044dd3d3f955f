import type { StoredIssue } from "../imports/issue.ts";
import type { TierRule } from "../program/program.ts";
import { localDate } from "../time/store-time.ts";
import type { EarlierPoints } from "./read-members.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import { dependsOnStore } from "./store-faults.ts";
import { textHash } from "./text-hash.ts";

/** What a file comes to, to be held beside the other app's own figures. */
export interface MemberSums {
  readonly rows: number;
  readonly validRows: number;
  readonly points: bigint;
  /** What the points are worth as a coupon, in minor units of the store's currency. */
  readonly worthMinor: bigint;
  /** Whom the valid rows name, each counted once. */
  readonly members: number;
  /** Rows with points. */
  readonly withPoints: number;
  /** Of the members: who is known by the address, who by the id, and who is new. */
  readonly foundByEmail: number;
  readonly foundById: number;
  readonly created: number;
  /** Money spent elsewhere, in minor units. */
  readonly spentMinor: bigint;
  /** Points by the month (YYYY-MM, in the store's time zone) in which they expire; "" by the store's own program. */
  readonly byExpiry: ReadonlyMap<string, bigint>;
  /** Rows by tier, as the app calls it. */
  readonly byTier: ReadonlyMap<string, number>;
  /** Tiers that the program has not. */
  readonly unknownTiers: readonly string[];
  /** Earlier moves that gave some of these members points, the newest first, at most twenty. */
  readonly earlier: readonly EarlierMove[];
  /** Rows that have no other fault than that an earlier move of the app gave their members points. */
  readonly leftOut: number;
  /** Rows that would be right if other customers were here. */
  readonly unresolved: number;
  readonly faultCount: number;
  /** The first ones. */
  readonly faults: readonly StoredIssue[];
}

/** A move that gave members of the file points before. */
export interface EarlierMove {
  readonly moveUid: string;
  /** The app's name. */
  readonly source: string;
  readonly at: Temporal.Instant;
  /** Members of the file whom it gave points, and how many. */
  readonly customers: number;
  readonly points: bigint;
}

const EARLIER_MAX = 20;
const FAULTS_MAX = 100;
/** So many tiers are counted by name; a column of something else has more. */
const TIERS_MAX = 100;
/** So many months are counted; a column of something else has more. */
const MONTHS_MAX = 240;

/** So many are counted once; in a larger file the others count by row. */
const SEEN_MAX = 2_000_000;

/** What sums are added up by. */
export interface SumRules {
  readonly timeZone: string;
  readonly pointWorth: bigint;
  readonly tiers: readonly TierRule[];
}

/** Adds up the rows of a file as they come. */
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
    const month = at === null ? "" : localDate(at, timeZone).slice(0, "YYYY-MM".length);
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
        if (seenEarlier.has(key)) continue; // of another row of the member
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

/** Returns the store's tier of a name of the app's, in any case; undefined: it has none. */
export function tierNamed(rules: readonly TierRule[], name: string): TierRule | undefined {
  const plain = (text: string) => text.normalize("NFKC").trim().toLowerCase();
  return rules.find((rule) => plain(rule.name) === plain(name));
}
