import { setTimeout as delay } from "node:timers/promises";
import { viewEntry } from "../admin/ledger/view.ts";
import { selectByTime } from "../admin/webhooks/delivery-queries.ts";
import { topicsOf } from "../admin/webhooks/topic-filter.ts";
import { viewDelivery } from "../admin/webhooks/view.ts";
import { UsageError } from "../config.ts";
import { isDatabaseAway, isLoginRefused } from "../db/database-away.ts";
import type { Deps } from "../deps.ts";
import { readOrderNames } from "../explain/read-order-names.ts";
import { readSettledMark } from "../ledger/settled-mark/read-settled-mark.ts";
import { readProgram } from "../program/read-program.ts";
import { parseInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { inTone, jsonText, jsonTime, oneLine, pointsText, printLine, printNote, shortTime } from "./output.ts";
import {
  selectSettledRows,
  selectTailAllotments,
  selectTailReceipts,
  type TailPosition,
  type TailQuery,
} from "./tail-queries.ts";
import { withDeps } from "./with-deps.ts";

const LAST_USUAL = 20;
const LAST_MAX = 1_000;
/** Rows read at once. */
const PAGE_ROWS = 200;
const POLL_MS = 1_000;
const RETRY_MS = 2_000;
/** How much later deliveries and receipts are shown: then most have been attempted and no transaction can add an older one. */
const LAG_MS = 3_000;
const FIRST_UID = "00000000-0000-0000-0000-000000000000";
const BEGINNING: TailPosition = { at: Temporal.Instant.from("0001-01-01T00:00:00Z"), uid: FIRST_UID };

/** A row of a tail: its position, and its text and JSON lines. */
interface TailRow extends TailPosition {
  readonly text: readonly string[];
  readonly json: object;
}

interface TailSource {
  /** Returns the last instant up to which every row is visible; null: there is no row. */
  readonly upTo: (deps: Deps) => Promise<Temporal.Instant | null>;
  readonly select: (deps: Deps, query: TailQuery) => Promise<TailRow[]>;
}

const SOURCES: Readonly<Record<string, TailSource>> = {
  ledger: { upTo: async (deps) => (await readSettledMark(deps)).settledAt, select: selectLedger },
  deliveries: { upTo: (deps) => selectSettledRows(deps.db, LAG_MS), select: selectDeliveries },
  receipts: { upTo: (deps) => selectSettledRows(deps.db, LAG_MS), select: selectReceipts },
};

/**
 * `pointkeeper tail [ledger|deliveries|receipts] [--since <time>] [--last <number>] [--follow]`: the newest rows, or all since a time, oldest first;
 * with --follow also new ones, until it is interrupted. With --json one document per line.
 */
export async function tail({ operands: [what = "ledger"], options, isJson }: Given): Promise<number> {
  const source = SOURCES[what];
  if (source === undefined) throw new UsageError(`Expected one of ${Object.keys(SOURCES).join(", ")}, not "${what}".`);
  const last = lastOf(options.get("last"));
  const show = ({ text, json }: TailRow): void =>
    printLine(isJson ? jsonText(json) : oneLine(text.join("  ")).trimEnd());
  return withDeps(async (deps) => {
    const since = options.get("since");
    const position = await showFirst(deps, source, { since: await sinceOf(deps, since), last, show });
    if (options.has("follow")) await follow(deps, source, position, show);
    return 0;
  });
}

function lastOf(text = String(LAST_USUAL)): number {
  const last = Number(text);
  if (/^\d+$/.test(text) && last <= LAST_MAX) return last;
  throw new UsageError(`--last must be a number from 0 to ${LAST_MAX}, not "${text}".`);
}

async function sinceOf(deps: Deps, text: string | undefined): Promise<TailPosition | null> {
  if (text === undefined) return null;
  const { store } = await readProgram(deps.db);
  const at = parseInstant(text, { timeZone: store.timeZone, edge: "start" });
  if (at === null) throw new UsageError(`--since ${text}: expected an ISO 8601 date or date-time.`);
  return { at, uid: FIRST_UID };
}

type Show = (row: TailRow) => void;

/** Shows the existing rows. Returns the position after them. */
async function showFirst(
  deps: Deps,
  source: TailSource,
  { since, last, show }: { readonly since: TailPosition | null; readonly last: number; readonly show: Show },
): Promise<TailPosition> {
  const upTo = await source.upTo(deps);
  if (upTo === null) return since ?? BEGINNING;
  if (since !== null) return showBehind(deps, source, { after: since, upTo, show });
  const rows = await source.select(deps, { after: BEGINNING, upTo, rows: Math.max(1, last), isNewest: true });
  for (const row of last === 0 ? [] : rows) show(row);
  return rows.at(-1) ?? { at: upTo, uid: FIRST_UID };
}

/** Shows every row after a position, some at a time. Returns the position of the last one. */
async function showBehind(
  deps: Deps,
  source: TailSource,
  { after, upTo, show }: { readonly after: TailPosition; readonly upTo: Temporal.Instant; readonly show: Show },
): Promise<TailPosition> {
  for (let position = after; ; ) {
    const rows = await source.select(deps, { after: position, upTo, rows: PAGE_ROWS, isNewest: false });
    for (const row of rows) show(row);
    position = rows.at(-1) ?? position;
    if (rows.length < PAGE_ROWS) return position;
  }
}

/** Continues until the command is interrupted; waits while the database is unavailable, unless it refuses this command's login. */
async function follow(deps: Deps, source: TailSource, from: TailPosition, show: Show): Promise<never> {
  for (let position = from; ; ) {
    await delay(POLL_MS);
    try {
      const upTo = await source.upTo(deps);
      if (upTo !== null) position = await showBehind(deps, source, { after: position, upTo, show });
    } catch (error) {
      if (!isDatabaseAway(error) || isLoginRefused(error)) throw error;
      printNote("The database is away: waiting for it.");
      await delay(RETRY_MS);
    }
  }
}

async function selectLedger(deps: Deps, query: TailQuery): Promise<TailRow[]> {
  const entries = await selectTailAllotments(deps.db, query);
  const names = await readOrderNames(deps.db, entries);
  return entries.map((entry) => {
    const row = viewEntry(entry, names);
    const { storefrontId, pointValue, balanceAfter, type, reasonType, note, parent, object, actor } = entry;
    const reason = [reasonType, note, parent, object, actor].filter((text) => text !== null).join(", ");
    const points = `${pointValue > 0n ? "+" : ""}${pointsText(pointValue)}`;
    return {
      at: entry.allottedAt,
      uid: entry.uid,
      json: row,
      text: [
        inTone("quiet", shortTime(entry.allottedAt)),
        storefrontId,
        type,
        inTone(pointValue < 0n ? "bad" : "good", points),
        `= ${pointsText(balanceAfter)}`,
        reason || entry.appReference,
      ],
    };
  });
}

async function selectDeliveries(deps: Deps, { after, upTo, rows, isNewest }: TailQuery): Promise<TailRow[]> {
  const page = isNewest
    ? { since: null, until: upTo, after: null, rows }
    : { since: null, until: upTo, after: { at: after.at, id: after.uid }, rows, isOldestFirst: true };
  const found = await selectByTime(deps.db, topicsOf(undefined), page);
  return (isNewest ? found.toReversed() : found).map((facts) => {
    const row = viewDelivery(facts);
    const tone = row.state === "done" ? "good" : row.state === "failed" ? "bad" : "warning";
    const answer = row.last_status === null ? (row.last_failure ?? "") : String(row.last_status);
    const took = row.last_ms === null ? "" : `${row.last_ms} ms`;
    const times = row.attempts > 1 ? `${row.attempts} attempts` : "";
    const text = [shortTime(row.written_at), row.uid, row.topic, row.customer?.id ?? "", inTone(tone, row.state)];
    return { at: facts.writtenAt, uid: facts.uid, json: row, text: [...text, answer, took, times] };
  });
}

async function selectReceipts(deps: Deps, query: TailQuery): Promise<TailRow[]> {
  return (await selectTailReceipts(deps.db, query)).map((receipt) => {
    const { uid, receivedAt, adapter, topic, subject, state, note } = receipt;
    const isStuck = state === "failed" || state === "quarantined";
    const tone = isStuck ? "bad" : state === "done" ? "good" : "warning";
    return {
      at: BEGINNING.at, // by the store's clock: only the uid determines their order
      uid,
      json: { uid, received_at: jsonTime(receivedAt), adapter, topic, subject, state, note },
      text: [inTone("quiet", shortTime(receivedAt)), uid, adapter, topic, subject, inTone(tone, state), note ?? ""],
    };
  });
}
