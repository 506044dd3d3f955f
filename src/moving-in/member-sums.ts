import type { TierRule } from "../program/program.ts";
import { localDate } from "../time/store-time.ts";
import type { MemberFault } from "./member.ts";
import type { ResolvedMember } from "./resolve-members.ts";

/** What a file comes to, to be held beside the other app's own figures. */
export interface MemberSums {
  readonly rows: number;
  readonly validRows: number;
  readonly points: bigint;
  /** Rows with points. */
  readonly withPoints: number;
  readonly foundByEmail: number;
  readonly foundById: number;
  readonly created: number;
  /** Points by the month (YYYY-MM, in the store's time zone) in which they expire; "" by the store's own program. */
  readonly byExpiry: ReadonlyMap<string, bigint>;
  /** Rows by tier, as the app calls it. */
  readonly byTier: ReadonlyMap<string, number>;
  readonly faultCount: number;
  /** The first ones. */
  readonly faults: readonly MemberFault[];
}

const FAULTS_MAX = 100;
/** So many tiers are counted by name; a column of something else has more. */
const TIERS_MAX = 100;

/** Adds up the rows of a file as they come. */
export function createMemberSums(timeZone: string): {
  add(resolved: ResolvedMember): void;
  addFaults(faults: readonly MemberFault[]): void;
  sums(): MemberSums;
} {
  const found = { email: 0, id: 0, nothing: 0 };
  const byExpiry = new Map<string, bigint>();
  const byTier = new Map<string, number>();
  const faults: MemberFault[] = [];
  let points = 0n;
  let withPoints = 0;
  let faulty = 0;
  return {
    add({ member, foundBy }) {
      found[foundBy]++;
      points += member.points;
      if (member.points > 0n) {
        withPoints++;
        const month = member.expiresAt === null ? "" : localDate(member.expiresAt, timeZone).slice(0, "YYYY-MM".length);
        byExpiry.set(month, (byExpiry.get(month) ?? 0n) + member.points);
      }
      if (member.tier !== null && (byTier.has(member.tier) || byTier.size < TIERS_MAX))
        byTier.set(member.tier, (byTier.get(member.tier) ?? 0) + 1);
    },
    addFaults(given) {
      faulty++;
      faults.push(...given.slice(0, FAULTS_MAX - faults.length));
    },
    sums() {
      const validRows = found.email + found.id + found.nothing;
      return {
        ...{ rows: validRows + faulty, validRows, points, withPoints, faultCount: faulty, faults },
        ...{ foundByEmail: found.email, foundById: found.id, created: found.nothing },
        byExpiry: new Map([...byExpiry].toSorted(([a], [b]) => a.localeCompare(b))),
        byTier,
      };
    },
  };
}

/** Returns the store's tier of a name of the app's, in any case; undefined: it has none. */
export function tierNamed(rules: readonly TierRule[], name: string): TierRule | undefined {
  const plain = (text: string) => text.normalize("NFKC").trim().toLowerCase();
  return rules.find((rule) => plain(rule.name) === plain(name));
}
