import { runAsSystem } from "../actor.ts";
import { unnested } from "../db/unnested.ts";
import type { Deps } from "../deps.ts";
import type { OnAnswered, ServedRequest } from "../http/access/credential.ts";

/**
 * The request log of credentials. Requests are collected in memory and written by one statement about once a second, so that no request waits for it.
 * The listed requests are limited; further ones are only counted.
 */
export interface RequestLog {
  readonly record: OnAnswered;
  /** Writes what is left; nothing is written after that. */
  close(): Promise<void>;
}

/** How long requests are collected, so that even a few share one statement. */
const FLUSH_MS = 1_500;
/**
 * The requests of a node that are listed: this many per second, and more at once after a quiet minute. Refused requests have the same limits
 * separately.
 */
const LISTED_PER_SECOND = 10;
const LISTED_AT_ONCE = 600;
/** While the database does not respond, no more than these are kept. */
const NOTED_MAX = 2 * LISTED_AT_ONCE;
const REFUSED_FROM = 400;

interface NotedRequest extends ServedRequest {
  readonly atMs: number;
}

/** How many more requests may be listed. */
interface Budget {
  left: number;
  countedAtMs: number;
}

type LogDeps = Pick<Deps, "config" | "db" | "random" | "log">;

const INSERT = `insert into api_request (credential_uid, at, uid, route, status, duration_us, request_id)
select n.credential_uid, statement_timestamp() - n.age_ms * interval '1 millisecond', n.uid, n.route, n.status, n.us, n.request_id
from (${unnested([
  "credential_uid uuid",
  "age_ms float8",
  "uid uuid",
  "route text",
  "status smallint",
  "us integer",
  "request_id text",
])}) n`;

const COUNT = `insert into api_request_unlisted as u (hour, credential_uid, requests)
select date_trunc('hour', statement_timestamp(), 'UTC'), n.credential_uid, n.requests
from (${unnested(["credential_uid uuid", "requests bigint"])}) n
order by n.credential_uid
on conflict (hour, credential_uid) do update
set requests = u.requests + excluded.requests`;

export function createRequestLog(deps: LogDeps): RequestLog {
  const isOn = deps.config.retention.requestHours > 0;
  const listed = newBudget();
  const refused = newBudget();
  let noted: NotedRequest[] = [];
  let unlisted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function record(request: ServedRequest): void {
    if (timer === undefined) schedule();
    const budget = request.status < REFUSED_FROM ? listed : refused;
    if (budget.left >= 1 && noted.length < NOTED_MAX) {
      budget.left--;
      noted.push({ ...request, atMs: performance.now() });
    } else {
      unlisted.set(request.credentialUid, (unlisted.get(request.credentialUid) ?? 0) + 1);
    }
  }

  function schedule(): void {
    const nowMs = performance.now();
    refill(listed, nowMs);
    refill(refused, nowMs);
    timer = setTimeout(() => {
      timer = undefined;
      writing ??= runAsSystem(write).finally(() => {
        writing = undefined;
        if (timer === undefined && noted.length + unlisted.size > 0) schedule(); // the statement was slow
      });
    }, FLUSH_MS).unref();
  }

  async function write(): Promise<void> {
    const [rows, counts] = [noted, unlisted];
    noted = [];
    unlisted = new Map();
    try {
      await writeRequests(deps, rows);
    } catch (error) {
      deps.log.warn({ error, requests: rows.length }, "the request log could not be written");
      for (const { credentialUid } of rows) counts.set(credentialUid, (counts.get(credentialUid) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    await deps.db.execute(COUNT, [[...counts.keys()], [...counts.values()].map(BigInt)]).catch((error: unknown) => {
      deps.log.warn({ error }, "requests that are not listed were not counted");
    });
  }

  return {
    record: isOn ? record : () => undefined,
    async close() {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}

function newBudget(): Budget {
  return { left: LISTED_AT_ONCE, countedAtMs: performance.now() };
}

function refill(budget: Budget, nowMs: number): void {
  const more = ((nowMs - budget.countedAtMs) / 1_000) * LISTED_PER_SECOND;
  budget.left = Math.min(LISTED_AT_ONCE, budget.left + more);
  budget.countedAtMs = nowMs;
}

async function writeRequests(deps: Pick<LogDeps, "db" | "random">, rows: readonly NotedRequest[]): Promise<void> {
  if (rows.length === 0) return;
  const nowMs = performance.now();
  await deps.db.execute(INSERT, [
    rows.map(({ credentialUid }) => credentialUid),
    rows.map(({ atMs }) => nowMs - atMs),
    rows.map(() => deps.random.uid()),
    rows.map(({ route }) => route),
    rows.map(({ status }) => status),
    rows.map(({ ms }) => Math.round(ms * 1_000)),
    rows.map(({ id }) => id),
  ]);
}
