import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import type { ReconcileTally } from "../intake/reconcile-lines.ts";
import { backFill } from "../platform-sync/back-fill.ts";
import { type ConnectOrder, connectPlatform, type PlatformConnection } from "../platform-sync/connect-platform.ts";
import { openPort } from "../platform-sync/index.ts";
import { historyMark, selectHistoryStart } from "../platform-sync/mark-queries.ts";
import type { HistoryPort, Resource } from "../platform-sync/platform-port.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant, parseInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { createProgress, inTone, print } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** Like reconcile: a few subjects are processed in parallel. */
const CONNECTIONS = 4;
/** Before the first order of any shop. */
const BEGINNING = Temporal.Instant.from("2000-01-01T00:00:00Z");

interface History {
  readonly resource: Resource;
  readonly from: string;
  /** Null: the platform did not return it. */
  readonly count: number | null;
  /** Null: a dry run. */
  readonly tally: ReconcileTally | null;
}

/** The settings that each platform needs. */
const NEEDED = {
  woocommerce:
    "WOOCOMMERCE_CONSUMER_KEY is not set: create a key with the permission Read/Write in the store, and see docs/woocommerce.md.",
  shopify:
    "Neither SHOPIFY_CLIENT_ID nor SHOPIFY_ADMIN_TOKEN is set: create an app for the store, and see docs/shopify.md.",
} as const;

/**
 * `pointkeeper connect <platform> [--dry-run] [--set-store] [--since <time>] [--webhooks-only]`: checks the permissions, adds missing webhooks and
 * reads the history; when run again, it continues. Returns 1 if something needs attention.
 */
export async function connect(given: Given, platform: keyof typeof NEEDED): Promise<number> {
  const isDryRun = given.options.has("dry-run");
  const order = { isDryRun, setsStore: given.options.has("set-store") };
  const { connection, histories } = await withDeps(async (deps) => {
    const port = openPort(deps, platform);
    if (port === undefined) throw new ConfigError(NEEDED[platform]);
    const since = await sinceOf(deps, given.options.get("since"));
    const made = await connectPlatform(deps, port.connection, order);
    const read: History[] = [];
    if (given.options.has("webhooks-only")) return { connection: made, histories: read };
    for (const resource of port.history.resources) {
      const from = resource === "products" ? BEGINNING : since; // one that nobody has changed for years has tags, too
      read.push(await history(deps, port.history, { resource, since: from, isDryRun }));
    }
    return { connection: made, histories: read };
  }, CONNECTIONS);
  print(given, {
    json: { ...connectionJson(connection), history: histories, dry_run: isDryRun },
    text: [...connectionText(connection, order), ...histories.map(historyText)],
  });
  const failed = histories.some(({ tally }) => tally !== null && tally.failed > 0);
  return connection.wrong.length > 0 || failed ? 1 : 0;
}

async function sinceOf(deps: Deps, text: string | undefined): Promise<Temporal.Instant> {
  if (text === undefined) return BEGINNING;
  const { timeZone } = (await readProgram(deps.db)).store;
  const since = parseInstant(text, { timeZone, edge: "start" });
  if (since === null) throw new UsageError(`--since ${text}: expected an ISO 8601 date or date-time.`);
  return since;
}

async function history(
  deps: Deps,
  port: HistoryPort,
  { resource, since, isDryRun }: { resource: Resource; since: Temporal.Instant; isDryRun: boolean },
): Promise<History> {
  const start = await selectHistoryStart(deps.db, historyMark(port, resource), since);
  const shown = { resource, from: formatInstant(start.since) };
  if (isDryRun) return { ...shown, count: (await port.count(resource, start)) ?? null, tally: null };
  const progress = createProgress(`reading ${resource}`, resource);
  const signal = new AbortController().signal; // an interrupt ends the process: the position is stored with each page
  try {
    const tally = await backFill(deps, port, { resource, since, signal, onProgress: progress.update });
    return { ...shown, count: tally.lines, tally };
  } finally {
    progress.end();
  }
}

function connectionText(made: PlatformConnection, { isDryRun, setsStore }: ConnectOrder): string[] {
  const would = isDryRun ? "would be added" : "added";
  return [
    ...made.missingAccess.map(({ scope, without }) =>
      inTone("warning", `The permission ${scope} is missing: ${without}.`),
    ),
    ...made.differences.map(({ field, ours, shops }) => {
      const done = made.isStoreSet ? "set" : setsStore ? "would be set" : "not set: --set-store does";
      return inTone(
        made.isStoreSet ? "good" : "warning",
        `${field} is ${ours} here and ${shops} in the shop: ${done}.`,
      );
    }),
    made.added.length === 0
      ? `All webhooks go to ${made.url}.`
      : `${made.added.length} webhooks ${would}, to ${made.url}: ${made.added.join(", ")}.`,
    ...made.wrong.map((what) => inTone("bad", what)),
    ...made.remarks,
  ];
}

function historyText({ resource, from, count, tally }: History): string {
  const shown = count === null ? "an unknown number of" : count.toLocaleString("en");
  if (tally === null) return `${shown} ${resource} changed since ${from} would be read.`;
  return `${shown} ${resource} read: ${tally.fresh} new, ${tally.known} known, ${tally.ignored} ignored, ${tally.failed} failed.`;
}

function connectionJson({ missingAccess, differences, isStoreSet, url, added, wrong }: PlatformConnection) {
  return {
    missing_scopes: missingAccess,
    differences: differences.map(({ field, ours, shops }) => ({ field, program: ours, shop: shops })),
    store_set: isStoreSet,
    webhooks: { url, added, wrong },
  };
}
