import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../src/db/pool.ts";
import type { FeedEvent, Journal } from "./journal.ts";
import { seeded } from "./plan.ts";
import { pick } from "./send.ts";

interface FeedReadersOptions {
  readonly seed: number;
  readonly urls: readonly string[];
  readonly authorization: string;
  readonly journal: Journal;
}

/** Two readers that follow the change feed from its beginning, one by pages and one by streams, as docs/events-feed.md describes it. */
export interface FeedReaders {
  /** Waits until each of them has as many events as the ledger has, for a while: what is still missing then is a finding of the audit. */
  caughtUp(db: Pick<Db, "query">): Promise<void>;
  end(): Promise<void>;
}

interface Reader extends FeedReadersOptions {
  readonly random: () => number;
  /** Ends the reader. */
  readonly signal: AbortSignal;
  /** What it stored last. */
  cursor(): string;
  /** Stores events together with the cursor after them. */
  store(events: readonly EventBody[], cursor: string): void;
}

interface EventBody {
  readonly cursor: string;
  readonly version: number;
  readonly balance_after: number;
  readonly payload: {
    readonly uid: string;
    readonly point_value: number;
    readonly customer: { readonly storefront_id: number | string };
  };
}

interface PageBody {
  readonly data: readonly EventBody[];
  readonly meta: { readonly next_cursor: string };
}

const PATH = "/api/storefront/events";
const LIMITS = [1, 10, 100, 250];
const WAIT_S = 2;
/** A node that is frozen answers nothing: the next request goes to any of them. */
const ANSWER_MS = 10_000;
/** A reader that ends in the middle of a page: it has stored the cursor of its last event. */
const INTERRUPTED_PART = 0.1;
const STREAM_MS_MIN = 500;
const STREAM_MS_MAX = 5_000;
const PAUSE_MS = 100;
const CAUGHT_UP_MS = 180_000;
const DUE = "select count(*)::int as due from allotment where point_value <> 0";

export function startFeedReaders(options: FeedReadersOptions): FeedReaders {
  const ending = new AbortController();
  const kinds = Object.entries({ pages: readPage, stream: readStream });
  const readers = kinds.map(([name, read], n) => follow(createReader(options, name, n, ending.signal), read));
  return {
    async caughtUp(db) {
      const until = performance.now() + CAUGHT_UP_MS;
      const [row] = await db.query<{ due: number }>(DUE);
      const due = row?.due ?? 0;
      const isBehind = () => [...options.journal.eventsRead().values()].some((events) => events.length < due);
      while (isBehind() && performance.now() < until) await delay(PAUSE_MS);
    },
    async end() {
      ending.abort();
      await Promise.all(readers);
    },
  };
}

function createReader(options: FeedReadersOptions, name: string, n: number, signal: AbortSignal): Reader {
  let stored = "start";
  options.journal.read(name, []);
  return {
    ...options,
    signal,
    random: seeded(options.seed * 977 + n),
    cursor: () => stored,
    store(events, cursor) {
      options.journal.read(name, events.map(feedEventOf));
      stored = cursor;
    },
  };
}

/** Reads without end, each time from any of the nodes. After an error it goes on from what it has stored. */
async function follow(reader: Reader, read: (reader: Reader) => Promise<void>): Promise<void> {
  while (!reader.signal.aborted) {
    try {
      await read(reader);
    } catch (error) {
      if (error instanceof SyntaxError) reader.journal.fault(PATH, 200, error.message); // a whole answer that is no JSON
    }
    await delay(PAUSE_MS);
  }
}

async function readPage(reader: Reader): Promise<void> {
  const query = `cursor=${reader.cursor()}&limit=${pick(reader.random, LIMITS)}&wait=${WAIT_S}`;
  const response = await request(reader, query, {}, ANSWER_MS);
  if (response === null) return;
  const { data, meta }: PageBody = JSON.parse(await response.text());
  const isInterrupted = data.length > 0 && reader.random() < INTERRUPTED_PART;
  const processed = isInterrupted ? data.slice(0, Math.floor(reader.random() * data.length)) : data;
  reader.store(processed, isInterrupted ? (processed.at(-1)?.cursor ?? reader.cursor()) : meta.next_cursor);
}

/** Reads one stream until it ends, or for some seconds. An event that is cut off is not one yet. */
async function readStream(reader: Reader): Promise<void> {
  const ms = STREAM_MS_MIN + Math.floor(reader.random() * (STREAM_MS_MAX - STREAM_MS_MIN));
  const stored = reader.cursor();
  const headers = { accept: "text/event-stream", ...(stored === "start" ? {} : { "last-event-id": stored }) };
  const response = await request(reader, "cursor=start", headers, ms);
  if (response === null || response.body === null) return;
  let text = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) storeBlock(reader, block);
  }
}

/** A block of a stream: an event with its id, the id of the beginning alone, or a comment. */
function storeBlock(reader: Reader, block: string): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const [id, data] = [field("id"), field("data")];
  if (id !== undefined) reader.store(data === undefined ? [] : [JSON.parse(data)], id);
}

/** Null: the node is passing through a fault. Rejects where the connection was lost, or nothing came in time. */
async function request(
  { urls, random, authorization, journal, signal }: Reader,
  query: string,
  headers: Readonly<Record<string, string>>,
  ms: number,
): Promise<Response | null> {
  const response = await fetch(`${pick(random, urls)}${PATH}?${query}`, {
    headers: { authorization, ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]),
  });
  if (response.status === 200) return response;
  const text = await response.text();
  if (response.status !== 503) journal.fault(PATH, response.status, text);
  return null;
}

export function feedEventOf({ version, balance_after, payload }: EventBody): FeedEvent {
  const customer = String(payload.customer.storefront_id);
  return { uid: payload.uid, customer, version, points: payload.point_value, balance: balance_after };
}
