import { listCodec, nullableCodec, record, textCodec, withDefault } from "../../db/json-codec.ts";
import type { CustomerPatch, CustomerRow } from "../customer.ts";

/** A statement about a customer's tags, with the platform's time of it. */
export interface TagStatement {
  readonly at: Temporal.Instant;
  /** The complete set; null: only the added and removed tags are known. */
  readonly tags: readonly string[] | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The tags from an instant on, up to the next one; null: from the beginning. */
interface Span {
  readonly from: Temporal.Instant | null;
  readonly tags: ReadonlySet<string>;
}

/** Before every statement of a platform. */
const EVER = Temporal.Instant.from("0001-01-01T00:00:00Z");
/** A platform sends the customer of an order a moment after the order: the first complete set counts from this time before it. */
const LEAD_S = 60;
/** Statements that change nothing are kept for this time, because an older one that arrives late may make them relevant. */
const KEPT_HOURS = 30 * 24;
const KEPT_MAX = 1_000;

/** Sorts statements by time, whatever the order of arrival; at the same time, a complete set comes before a change of one. */
function inOrder(statements: readonly TagStatement[]): TagStatement[] {
  return statements.toSorted(
    (a, b) =>
      Temporal.Instant.compare(a.at, b.at) ||
      Number(a.tags === null) - Number(b.tags === null) ||
      (statementText(a) < statementText(b) ? -1 : 1),
  );
}

function applied({ tags, added, removed }: TagStatement, before: ReadonlySet<string>): ReadonlySet<string> {
  const after = new Set([...(tags ?? before), ...added]);
  for (const tag of removed) after.delete(tag);
  return after;
}

/**
 * Returns the tags that the customer had before any statement: tags that were removed without having been added, because they must have
 * been there. Nothing else is known about that time, and unknown tags count as absent.
 */
function atFirst(ordered: readonly TagStatement[]): ReadonlySet<string> {
  const whole = ordered.findIndex(({ tags }) => tags !== null);
  const [had, given] = [new Set<string>(), new Set<string>()];
  for (const { added, removed } of whole === -1 ? ordered : ordered.slice(0, whole)) {
    for (const tag of added) given.add(tag);
    for (const tag of removed) if (!given.has(tag)) had.add(tag);
  }
  return had;
}

function spansOf(statements: readonly TagStatement[]): readonly Span[] {
  const ordered = inOrder(statements);
  const spans: Span[] = [{ from: null, tags: atFirst(ordered) }];
  for (const [n, statement] of ordered.entries()) {
    const from = n === 0 && statement.tags !== null ? statement.at.subtract({ seconds: LEAD_S }) : statement.at;
    spans.push({ from, tags: applied(statement, spans.at(-1)?.tags ?? new Set()) });
  }
  return spans;
}

function tagsOf(spans: readonly Span[], instant: Temporal.Instant): ReadonlySet<string> {
  const isSince = ({ from }: Span) => from === null || Temporal.Instant.compare(from, instant) <= 0;
  return spans.findLast(isSince)?.tags ?? new Set();
}

/**
 * Returns the tags that a customer had at an instant (program.md 4, Snapshot), by applying the statements about the time up to it one after
 * the other. The result depends only on the statements, not on the order of their arrival.
 */
export function tagsAt(statements: readonly TagStatement[], instant: Temporal.Instant): readonly string[] {
  return [...tagsOf(spansOf(statements), instant)].sort();
}

/** Returns the first instant at which two histories have different tags; null: they are the same at every time. */
export function firstDifference(one: readonly TagStatement[], other: readonly TagStatement[]): Temporal.Instant | null {
  const [a, b] = [spansOf(one), spansOf(other)];
  const instants = [...a, ...b].map(({ from }) => from ?? EVER).sort(Temporal.Instant.compare);
  const seen = { a: 0, b: 0 };
  const advance = (spans: readonly Span[], from: number, to: Temporal.Instant): number => {
    let at = from;
    for (let next = spans[at + 1]; next?.from && Temporal.Instant.compare(next.from, to) <= 0; next = spans[at + 1])
      at++;
    return at;
  };
  for (const instant of instants) {
    seen.a = advance(a, seen.a, instant);
    seen.b = advance(b, seen.b, instant);
    if (!isSame(a[seen.a]?.tags, b[seen.b]?.tags)) return instant;
  }
  return null;
}

function isSame(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): boolean {
  return a.size === b.size && [...a].every((tag) => b.has(tag));
}

/**
 * Returns statements that need not be kept: they change nothing and are more than 30 days older than the newest, or are too many. The first
 * stays.
 */
export function idleStatements(statements: readonly TagStatement[]): readonly TagStatement[] {
  const ordered = inOrder(statements);
  const newest = ordered.at(-1)?.at;
  if (newest === undefined) return [];
  const horizon = newest.subtract({ hours: KEPT_HOURS });
  const kept = ordered.slice(-KEPT_MAX);
  const idle = ordered.slice(0, -KEPT_MAX);
  let present = atFirst(kept);
  for (const [n, statement] of kept.entries()) {
    const next = applied(statement, present);
    if (n > 0 && isSame(present, next) && Temporal.Instant.compare(statement.at, horizon) < 0) idle.push(statement);
    present = next;
  }
  return idle;
}

/** Returns a patch's statement about tags; null: it has none. `now`: the time of a statement without one. */
export function statementOf(patch: CustomerPatch, now: Temporal.Instant): TagStatement | null {
  const { tags, tagsAdded = [], tagsRemoved = [] } = patch;
  if (tags === undefined && tagsAdded.length + tagsRemoved.length === 0) return null;
  const at = tags === undefined ? (patch.tagsAt ?? patch.profileAt) : (patch.profileAt ?? patch.tagsAt);
  return {
    at: (at ?? now).round({ smallestUnit: "microsecond", roundingMode: "floor" }),
    tags: tags === undefined ? null : [...new Set(tags)].sort(),
    added: [...new Set(tagsAdded)].sort(),
    removed: [...new Set(tagsRemoved)].sort(),
  };
}

/** Returns the statement that follows from a customer's row if no statement is stored: its tags, since they were last stated. */
export function statementOfRow(customer: CustomerRow): readonly TagStatement[] {
  const { tags, fieldVersions, createdAt } = customer;
  if (tags === null || tags.length === 0) return [];
  const { tags: version } = fieldVersions;
  return [{ at: version === undefined ? createdAt : Temporal.Instant.from(version), tags, added: [], removed: [] }];
}

/** Returns a statement as it is stored. */
export function statementText({ tags, added, removed }: TagStatement): string {
  return JSON.stringify({ tags, added, removed });
}

const storedStatement = record<Omit<TagStatement, "at">>({
  tags: nullableCodec(listCodec(textCodec)),
  added: withDefault(listCodec(textCodec), []),
  removed: withDefault(listCodec(textCodec), []),
});

/** Parses a stored statement. */
export function parseStatement(at: Temporal.Instant, statement: string): TagStatement {
  return { at, ...storedStatement.decode(JSON.parse(statement)) };
}
