import type { CustomerRef } from "../ledger/customer-ref.ts";
import { monthIndex } from "../time/store-time.ts";

/** Stands for the default tier. */
const DEFAULT_TIER = "00000000-0000-0000-0000-000000000000";
/** Stands for the tier at the start of a month where the customer joined within the month. */
export const JOINED = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const HOUR_MS = 3_600_000;

interface TierStep {
  readonly at: Temporal.Instant;
  /** Null: the default tier. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The present facts of a customer that its share depends on. */
export interface ShareFacts {
  readonly customer: CustomerRef;
  readonly joinedAt: Temporal.Instant;
  readonly orders: bigint;
  readonly firstAt: Temporal.Instant | null;
  /** Null where there are fewer than two orders. */
  readonly lapsesAt: Temporal.Instant | null;
  readonly tierUid: string | null;
  /** In ascending order of time. */
  readonly steps: readonly TierStep[];
}

/** The tiers in which a customer began and ended a month, where they differ. */
interface Move {
  readonly month: number;
  readonly from: string;
  readonly to: string;
}

/** What one customer adds to the sums; months are numbered by `monthIndex`. */
export interface GrowthShare {
  readonly joined: number;
  readonly firstOrdered: number | null;
  /** 2 stands for two or more. */
  readonly orders: number;
  /** The start of the hour in which they lapse; `lapseMonth`: the month of it. */
  readonly lapsesAt: Temporal.Instant | null;
  readonly lapseMonth: number | null;
  readonly tierUid: string;
  readonly moves: readonly Move[];
}

/** Computes a customer's share with the months of a time zone. */
export function growthShareOf(facts: ShareFacts, timeZone: string): GrowthShare {
  const joined = monthIndex(facts.joinedAt, timeZone);
  const hasOrders = facts.orders > 0n && facts.firstAt !== null;
  return {
    joined,
    firstOrdered: hasOrders && facts.firstAt !== null ? monthIndex(facts.firstAt, timeZone) : null,
    orders: Math.min(2, Number(facts.orders)),
    lapsesAt: facts.lapsesAt === null ? null : startOfHour(facts.lapsesAt),
    lapseMonth: facts.lapsesAt === null ? null : monthIndex(facts.lapsesAt, timeZone),
    tierUid: facts.tierUid ?? DEFAULT_TIER,
    moves: movesOf(facts.steps, joined, timeZone),
  };
}

/** At most one move per month; steps before a customer joined count in the month of joining. */
function movesOf(steps: readonly TierStep[], joined: number, timeZone: string): readonly Move[] {
  const moves = new Map<number, Move>();
  for (const { at, from, to } of steps) {
    const month = Math.max(joined, monthIndex(at, timeZone));
    const start = moves.get(month)?.from ?? (month === joined ? JOINED : (from ?? DEFAULT_TIER));
    moves.set(month, { month, from: start, to: to ?? DEFAULT_TIER });
  }
  return [...moves.values()].filter(({ from, to }) => from !== to);
}

function startOfHour(at: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / HOUR_MS) * HOUR_MS);
}

export interface MovedCustomer extends Move, CustomerRef {
  /** The month in which the customer entered the tier that the move left. */
  readonly since: number;
}

/** The moves to remove from and to add to the stored lists where customers' shares change. */
export function movedBetween(changes: readonly ShareChange[]): {
  readonly gone: readonly MovedCustomer[];
  readonly made: readonly MovedCustomer[];
} {
  const only = (customer: CustomerRef, share: GrowthShare | null, other: GrowthShare | null) => {
    const others = new Set(staysOf(other).map(stayText));
    return staysOf(share)
      .filter((stay) => !others.has(stayText(stay)))
      .map((stay) => ({ ...stay, ...customer }));
  };
  return {
    gone: changes.flatMap(({ customer, before, after }) => only(customer, before, after)),
    made: changes.flatMap(({ customer, before, after }) => only(customer, after, before)),
  };
}

/** The moves of a customer, each with the month in which the customer entered the tier that it left. */
function staysOf(share: GrowthShare | null): readonly (Move & { readonly since: number })[] {
  if (share === null) return [];
  const { moves, joined } = share;
  return moves.map((move, place) => ({ ...move, since: moves[place - 1]?.month ?? joined }));
}

function stayText(stay: Move & { readonly since: number }): string {
  return `${stay.since} ${movesText([stay])}`;
}

/** Formats moves as `24315:<from>><to> 24316:<from>><to>`. */
export function movesText(moves: readonly Move[]): string {
  return moves.map(({ month, from, to }) => `${month}:${from}>${to}`).join(" ");
}

/** Parses the text of `movesText`. */
export function parseMoves(text: string): readonly Move[] {
  const parts = text.split(" ").filter((part) => part !== "");
  return parts.map((part) => {
    const [month = "", from = "", to = ""] = part.split(/[:>]/);
    return { month: Number(month), from, to };
  });
}

/** A text that is equal exactly for equal shares. */
export function growthShareText(share: GrowthShare | null): string {
  if (share === null) return "nothing";
  const { joined, firstOrdered, orders, lapsesAt, lapseMonth, tierUid, moves } = share;
  return [joined, firstOrdered ?? "-", orders, lapsesAt ?? "-", lapseMonth ?? "-", tierUid, movesText(moves)].join(" ");
}

/** A customer's share before and after a change; null: not counted. */
export interface ShareChange {
  readonly customer: CustomerRef;
  readonly before: GrowthShare | null;
  readonly after: GrowthShare | null;
}

export type GrowthFigure = "joined" | "ordered" | "reordered" | "first_ordered";

interface Lapse {
  readonly hour: Temporal.Instant;
  readonly month: number;
}

/** Numbers of customers by the keys of the sums, or changes of these. Each list is sorted by its keys and has no zeros. */
export interface GrowthSums {
  readonly months: readonly { readonly month: number; readonly figure: GrowthFigure; readonly customers: number }[];
  readonly lapses: readonly (Lapse & { readonly customers: number })[];
  readonly tiers: readonly { readonly tierUid: string; readonly customers: number }[];
  readonly moves: readonly (Move & { readonly customers: number })[];
}

/** The change of the sums where customers' shares change. */
export function growthBetween(changes: readonly Omit<ShareChange, "customer">[]): GrowthSums {
  const months: Counts<{ readonly month: number; readonly figure: GrowthFigure }> = new Map();
  const lapses: Counts<Lapse> = new Map();
  const tiers: Counts<{ readonly tierUid: string }> = new Map();
  const moves: Counts<Move> = new Map();
  const add = (share: GrowthShare, sign: number) => {
    for (const key of figuresOf(share)) count(months, `${key.month} ${key.figure}`, key, sign);
    const { lapsesAt, lapseMonth, tierUid } = share;
    if (lapsesAt !== null && lapseMonth !== null)
      count(lapses, `${lapsesAt} ${lapseMonth}`, { hour: lapsesAt, month: lapseMonth }, sign);
    count(tiers, tierUid, { tierUid }, sign);
    for (const move of share.moves) count(moves, movesText([move]), move, sign);
  };
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1);
    if (after !== null) add(after, 1);
  }
  return { months: rowsOf(months), lapses: rowsOf(lapses), tiers: rowsOf(tiers), moves: rowsOf(moves) };
}

function figuresOf({ joined, firstOrdered, orders }: GrowthShare) {
  const figures: { readonly month: number; readonly figure: GrowthFigure }[] = [{ month: joined, figure: "joined" }];
  if (orders > 0) figures.push({ month: joined, figure: "ordered" });
  if (orders > 1) figures.push({ month: joined, figure: "reordered" });
  if (firstOrdered !== null) figures.push({ month: firstOrdered, figure: "first_ordered" });
  return figures;
}

/** Numbers of customers by the text of a key. */
type Counts<Key> = Map<string, Key & { customers: number }>;

function count<Key extends object>(counts: Counts<Key>, name: string, key: Key, sign: number): void {
  const row = counts.get(name) ?? { ...key, customers: 0 };
  row.customers += sign;
  counts.set(name, row);
}

function rowsOf<Key>(counts: Counts<Key>): readonly (Key & { readonly customers: number })[] {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return sorted.filter(({ customers }) => customers !== 0);
}
