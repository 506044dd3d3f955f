import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { basic, createClient } from "../support/client.ts";
import { scratchRoot } from "../support/scratch-root.ts";
import { audit, drain, type Findings } from "./audit.ts";
import type { FeedFindings } from "./audit-feed.ts";
import { type Chores, prepareChores } from "./chores.ts";
import { type Cluster, CREDENTIAL, startCluster } from "./cluster.ts";
import { type FeedReaders, startFeedReaders } from "./feed-readers.ts";
import { type Journal, openJournal } from "./journal.ts";
import { startLoad } from "./load.ts";
import { type Fault, type FaultKind, planRound } from "./plan.ts";
import type { Cut } from "./proxy.ts";
import { BAD_RECEIVERS, type Receivers, startReceivers } from "./receivers.ts";

export interface TortureOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly lanes: number;
  readonly kinds: readonly FaultKind[];
  readonly frozenMsMax: number;
  /** How long an import of a file may take: after a killed node another takes it up when the lease is over, a minute later. */
  readonly importMs: number;
  /** A disk of the database's own, which can become full; it is mounted, which takes a privilege. */
  readonly withOwnDisk: boolean;
  /** Ends the run after the round. */
  readonly signal?: AbortSignal;
  readonly print: (line: string) => void;
  /** Gets what happens as it happens. */
  readonly note?: (line: string) => void;
}

export interface TortureResult {
  readonly findings: Findings;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** What went on beside the requests, and how often each was done. */
  readonly chores: ReadonlyMap<string, number>;
  readonly asked: Readonly<Record<string, number>>;
  readonly memoryAtStart: readonly number[];
  readonly memoryAtEnd: readonly number[];
  readonly tookMs: number;
}

const CUSTOMERS = 24;
const BUYERS = 8;
/** So long a cut waits for commits to come by. */
const CUT_MS_MAX = 10_000;
const PAUSE_MS = 50;
const DAYS_BETWEEN = 3;
const TICK = { minutes: 2 };
const TICK_MS = 1_000;
const TOPIC = "point_allotment/cascade";

/** What a run has, and what it counts. */
interface Course {
  readonly options: TortureOptions;
  readonly cluster: Cluster;
  readonly journal: Journal;
  readonly chores: Chores;
  readonly feedReaders: FeedReaders;
  /** The subscription whose receiver is trusted. */
  readonly trustedUid: string;
  readonly backupDir: string;
  readonly faults: Map<FaultKind, number>;
  readonly done: Map<string, number>;
}

/** Starts the store, torments it round by round, and after each one holds its ledger beside the journal. Stops at the first finding. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const folder = mkdtempSync(join(scratchRoot(), "pointkeeper-test-"));
  const startedMs = performance.now();
  const journal = openJournal(join(folder, "journal"));
  const receivers = await startReceivers(options.seed, journal);
  const cluster = await startCluster(folder, options.withOwnDisk, options.note);
  const authorization = basic(CREDENTIAL);
  const feedReaders = startFeedReaders({ seed: options.seed, urls: cluster.urls, authorization, journal });
  try {
    const setupCode = (await readFile(join(folder, "node0", "setup-code"), "utf8")).trim();
    const trustedUid = await prepareStore(cluster, receivers);
    const chores = await prepareChores({ cluster, journal, importMs: options.importMs }, setupCode);
    const backupDir = join(folder, "backup");
    const course: Course = {
      ...{ options, cluster, journal, chores, feedReaders, trustedUid, backupDir },
      faults: new Map(),
      done: new Map(),
    };
    const memoryAtStart = await cluster.memory();
    const findings = await runRounds(course);
    const memoryAtEnd = await cluster.memory();
    const tookMs = performance.now() - startedMs;
    return {
      findings,
      faults: course.faults,
      chores: course.done,
      asked: receivers.asked(),
      memoryAtStart,
      memoryAtEnd,
      tookMs,
    };
  } finally {
    await feedReaders.end();
    await cluster.stop();
    await receivers.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function runRounds(course: Course): Promise<Findings> {
  const { rounds, print } = course.options;
  for (let round = 0; ; round++) {
    const findings = await runRound(course, round);
    print(`round ${round + 1} of ${rounds}: ${sentence(findings)}`);
    for (const detail of findings.details) print(`  ${detail}`);
    if (findings.details.length > 0 || round + 1 >= rounds || course.options.signal?.aborted === true) return findings;
  }
}

const sentence = (findings: Findings) => `${ledgerSentence(findings)}; ${feedSentence(findings.feed)}`;

const feedSentence = ({ due, read, lost, doubled, invented, misplaced }: FeedFindings) =>
  `events due ${due}, read ${read}, lost ${lost}, doubled ${doubled}, invented ${invented}, misplaced ${misplaced}`;

const ledgerSentence = (findings: Findings) =>
  (
    [
      "acknowledged",
      "orders",
      "rows",
      "spendings",
      "open",
      "lost",
      "doubled",
      "faults",
      "due",
      "delivered",
      "phantom",
      "unsigned",
      "unverified",
    ] as const
  )
    .map((name) => `${name} ${findings[name]}`)
    .join(", ");

async function prepareStore(cluster: Cluster, receivers: Receivers): Promise<string> {
  const store = createClient(cluster.urls[0] ?? "", basic(CREDENTIAL));
  for (let n = 0; n < CUSTOMERS; n++)
    await store.put(`/api/storefront/customers/${customerId(n)}`, { name: `Customer ${n}` });
  for (let n = 0; n < BUYERS; n++) await store.put(`/api/storefront/customers/${buyerId(n)}`, { name: `Buyer ${n}` });
  const { body, status, text } = await store.post("/api/storefront/webhooks", {
    topic: TOPIC,
    callback_url: receivers.url,
  });
  if (status !== 200) throw new Error(text);
  receivers.trust(body.data.secret);
  for (const kind of BAD_RECEIVERS) {
    const added = await cluster.command("webhooks", "add-receiver", TOPIC, receivers.badUrl(kind));
    if (added.code !== 0) throw new Error(added.stderr);
  }
  const [row] = await cluster.db.query<{ uid: string }>("select uid from subscription where callback_url = $1", [
    receivers.url,
  ]);
  return row?.uid ?? "";
}

const customerId = (n: number) => `9100${String(n).padStart(2, "0")}`;
const buyerId = (n: number) => `9200${String(n).padStart(2, "0")}`;

async function runRound(course: Course, round: number): Promise<Findings> {
  const { options, cluster, journal, chores, feedReaders, trustedUid } = course;
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => customerId(n));
  const buyers = Array.from({ length: BUYERS }, (_, n) => buyerId(n));
  const authorization = basic(CREDENTIAL);
  const seed = options.seed * 1_000 + round;
  const load = startLoad({ seed, lanes: options.lanes, urls: cluster.urls, authorization, customers, buyers, journal });
  const faults = planRound({ ...options, round, nodes: cluster.nodes });
  let isOver = false;
  const working = workBeside(course, `c${seed}`, customers);
  await Promise.all([runFaults(course, faults), delay(options.roundMs)]);
  for (const proxy of cluster.proxies) proxy.cutCommits("before", 0);
  options.note?.("the load ends");
  await load.end();
  await cluster.ready();
  await working;
  // Keys count for 24 hours of the store's clock: it jumps by days when no call is sent again any more.
  await chores.moveClock({ hours: DAYS_BETWEEN * 24 });
  options.note?.("waiting for what is due");
  const ticking = tick(course, () => isOver);
  await drain(cluster, trustedUid);
  isOver = true;
  await ticking;
  await feedReaders.caughtUp(cluster.db);
  return audit(cluster, journal);
}

/** Each at its time, beside those that still last. */
async function runFaults(course: Course, faults: readonly Fault[]): Promise<void> {
  const startedMs = performance.now();
  await Promise.all(
    faults.map(async (fault) => {
      await delay(Math.max(0, fault.atMs - (performance.now() - startedMs)));
      course.options.note?.(`${fault.kind}: begins`);
      const count = await inject(course, fault);
      course.options.note?.(`${fault.kind}: ${count}`);
      course.faults.set(fault.kind, (course.faults.get(fault.kind) ?? 0) + count);
    }),
  );
}

/** Does it, and returns how often it happened: a cut waits for the next commit, and may see none. */
async function inject({ cluster, chores }: Course, { kind, node, count, lastsMs }: Fault): Promise<number> {
  const proxy = cluster.proxies[node];
  const cut = async (at: Cut) => {
    const before = proxy?.done()[at] ?? 0;
    const cuts = () => (proxy?.done()[at] ?? 0) - before;
    proxy?.cutCommits(at, count);
    for (let waitedMs = 0; waitedMs < CUT_MS_MAX && cuts() < count; waitedMs += PAUSE_MS) await delay(PAUSE_MS);
    return cuts();
  };
  const once = async (work: Promise<unknown>) => ((await work) === false ? 0 : 1);
  const injections: Record<FaultKind, () => Promise<number>> = {
    "node killed": () => once(cluster.killNode(node)),
    "node frozen": () => once(cluster.freezeNode(node, lastsMs)),
    "backend killed": () => once(cluster.killBackend()),
    "database killed": () => once(cluster.killDatabase()),
    "cut before COMMIT": () => cut("before"),
    "cut after COMMIT before its answer": () => cut("unanswered"),
    "cut after the answer of COMMIT": () => cut("answered"),
    "connections cut anywhere": async () => proxy?.cutAny(count) ?? 0,
    "clock jump": () => once(chores.moveClock({ hours: count })),
    "disk full": () => once(cluster.fillDisk(lastsMs)),
  };
  return injections[kind]();
}

/** The store's clock stands still unless it is moved. */
async function tick({ chores, done }: Course, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (await chores.moveClock(TICK)) done.set("clock moved", (done.get("clock moved") ?? 0) + 1);
    await delay(TICK_MS);
  }
}

async function workBeside(
  { chores, done, backupDir }: Course,
  mark: string,
  customers: readonly string[],
): Promise<void> {
  const work: Record<string, () => Promise<boolean>> = {
    "CSV files imported": () => chores.importFile(`${mark}-csv`, customers),
    "customers merged": () => chores.merge(`${mark}-merge`),
    "verify beside the load": () => chores.verify(),
    "backups restored and verified": () => chores.backUp(backupDir),
  };
  await Promise.all(
    Object.entries(work).map(async ([name, run]) => {
      if (await run()) done.set(name, (done.get(name) ?? 0) + 1);
    }),
  );
}
