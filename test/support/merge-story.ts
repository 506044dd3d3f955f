import fc from "fast-check";
import type { MemberMove } from "../../src/moving-in/move.ts";

// A model of customers who become one in any order, with all that they may have at that moment. Nothing expires, so everything is a sum.

const n = fc.nat(99);
export const op = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("merge" as const), who: n, into: n }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("order" as const),
      who: n,
      hundreds: fc.integer({ min: 1, max: 200 }),
      isEarlier: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), which: n, who: n }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which: n }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("give" as const),
      who: n,
      points: fc.integer({ min: -90, max: 90 }).filter((points) => points !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("coupon" as const), who: n, points: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("end coupon" as const), which: n }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("hold" as const), who: n, points: fc.integer({ min: 10, max: 90 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("end hold" as const), which: n, taken: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      setsBalance: fc.boolean(),
      rows: fc.array(fc.record({ who: n, isNew: fc.boolean(), points: fc.nat(300), spent: fc.nat(200) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("undo" as const), which: n }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("appear" as const), which: n }) },
);
export type Op = typeof op extends fc.Arbitrary<infer Value> ? Value : never;

/** Someone who is one customer by now. */
export interface Person {
  readonly ids: string[];
  email: string | null;
  /** Points that neither orders nor files gave, without those of open coupons. */
  points: number;
  held: number;
  /** The move that made the customer, if nothing but moves has happened to them. */
  onlyOf: Move | null;
  /** The other moves with a row of theirs. */
  readonly alsoOf: Set<Move>;
}

export interface Order {
  readonly id: string;
  person: Person;
  readonly points: number;
  readonly placedAt: Temporal.Instant;
  readonly knownAt: Temporal.Instant;
  isCancelled: boolean;
  /** Whether files contain its points and its spend, when it was last compared with them. */
  inFiles: { readonly points: boolean; readonly spend: boolean };
}

export interface Move {
  readonly file: MemberMove;
  readonly startedAt: Temporal.Instant;
  readonly rows: MoveRow[];
}

export interface MoveRow {
  person: Person;
  /** The points of the file. */
  readonly stated: number;
  /** What it added to the balance; where balances are set it may be negative. */
  readonly points: number;
  readonly spent: number;
}

export interface Story {
  readonly name: string;
  count: number;
  people: Person[];
  orders: Order[];
  moves: Move[];
  coupons: { person: Person; readonly code: string; readonly points: number }[];
  holds: { person: Person; readonly id: string; readonly points: number }[];
  readonly gone: Set<string>;
}

export const of = <Value>(list: readonly Value[], at: number): Value | undefined => list[at % Math.max(1, list.length)];
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function idOf({ people }: Story, who: number): { readonly person: Person; readonly id: string } {
  const person = of(people, who);
  const id = person === undefined ? undefined : of(person.ids, Math.floor(who / people.length));
  if (person === undefined || id === undefined) throw new Error("a story has people");
  return { person, id };
}

export function join(story: Story, removed: Person, kept: Person): void {
  const isCompared = isInFile(story, removed);
  kept.ids.push(...removed.ids);
  kept.email ??= removed.email;
  kept.points += removed.points;
  kept.held += removed.held;
  kept.onlyOf = null;
  const ofPerson = [...story.orders, ...story.coupons, ...story.holds, ...story.moves.flatMap(({ rows }) => rows)];
  for (const each of ofPerson) if (each.person === removed) each.person = kept;
  story.people = story.people.filter((person) => person !== removed);
  if (isCompared) compare(story, kept);
}

/** The rows of files that contain an order of someone: imported before it was known, and exported after it was placed. */
function covering({ moves }: Story, { person, placedAt, knownAt }: Order) {
  return moves
    .filter(({ startedAt }) => Temporal.Instant.compare(startedAt, knownAt) <= 0)
    .filter(({ startedAt }) => Temporal.Instant.compare(placedAt, startedAt) < 0)
    .flatMap(({ rows }) => rows.filter((row) => row.person === person));
}

/** Compares a person's orders with the files: as they are known, and when a file or a person of a file comes or goes. */
function compare(story: Story, person: Person): void {
  for (const order of story.orders.filter((each) => each.person === person)) {
    const rows = covering(story, order);
    order.inFiles = { points: rows.length > 0, spend: rows.some(({ spent }) => spent > 0) };
  }
}

export function addOrder(story: Story, known: Omit<Order, "isCancelled" | "inFiles">): void {
  const order = { ...known, isCancelled: false, inFiles: { points: false, spend: false } };
  story.orders.push(order);
  compare({ ...story, orders: [order] }, order.person);
}

export function addMove(story: Story, move: Move): void {
  story.moves.push(move);
  for (const { person } of move.rows) compare(story, person);
}

export function removeMove(story: Story, move: Move): void {
  story.moves.splice(story.moves.indexOf(move), 1);
  for (const { person } of move.rows) compare(story, person);
}

const isInFile = ({ moves }: Story, person: Person) =>
  moves.some(({ rows }) => rows.some((row) => row.person === person));

const earned = ({ isCancelled, inFiles, points }: Order) => (isCancelled || inFiles.points ? 0 : points);

export function balanceOf(story: Story, person: Person): number {
  const moved = story.moves.flatMap(({ rows }) => rows.filter((row) => row.person === person));
  const orders = story.orders.filter((order) => order.person === person).map(earned);
  return person.points - person.held + sum(moved.map(({ points }) => points)) + sum(orders);
}

/** Whether an e-mail address is that of a person whom a file brought. */
export const isMember = (email: string) => email.includes("-m");
