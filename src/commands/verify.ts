import { CHECKPOINT_CHECK, checkLogs, type LogsResult } from "../checkpoints/check-logs.ts";
import { readNewestFile, readNoteFile } from "../checkpoints/checkpoint-files.ts";
import { createPassedTiles, type PassedTiles } from "../checkpoints/passed-tiles.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoints/signed-note.ts";
import { UsageError } from "../config.ts";
import { readSecretKeys } from "../credentials/secret-key-file.ts";
import { SNAPSHOT } from "../db/stream-rows.ts";
import type { Deps } from "../deps.ts";
import type { CheckCount, LedgerFault, VerifyOptions, VerifyResult } from "../ledger/check-ledger.ts";
import { checkLedger } from "../ledger/check-ledger.ts";
import type { LedgerKey } from "../ledger/ledger-key.ts";
import { readLedgerKey } from "../ledger/ledger-key-queries.ts";
import { type AllotmentPass, passAllotments } from "../ledger/pass-allotments.ts";
import { CHAIN_CHECK } from "../ledger/verify-chains.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import type { Given } from "./command-line.ts";
import { createProgress, inTone, print, printLine } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const WORKERS_MAX = 16;
/** Beside the workers, for what is read first. */
const OTHER_CONNECTIONS = 1;
/** Faults that `--json` lists; all are counted. */
const LISTED_MAX = 10_000;

/**
 * `pointkeeper verify [--workers n] [--against file] [--json]`: what was checked, and each customer and checkpoint that does not hold; 1
 * where there is one. `--against` compares with a checkpoint that was kept outside; so is the newest of POINTKEEPER_CHECKPOINT_DIR.
 */
export async function verify(given: Given): Promise<number> {
  const workers = workersOf(given.options.get("workers"));
  const progress = createProgress("verifying", "of the ledger");
  const say = (line: string): void => {
    progress.end();
    if (!given.isJson) printLine(coloured(line));
  };
  const order = {
    workers,
    against: given.options.get("against"),
    say,
    onProgress: ({ queries, ofQueries }: { queries: number; ofQueries: number }) => progress.update(queries, ofQueries),
  };
  const report = await withDeps((deps) => verifyStore(deps, order), workers + OTHER_CONNECTIONS);
  progress.end();
  if (given.isJson) print(given, { json: jsonOf(report), text: [] });
  return report.faults === 0 ? 0 : 1;
}

interface Order extends Pick<VerifyOptions, "onProgress"> {
  readonly workers: number;
  readonly against: string | undefined;
  readonly say: (line: string) => void;
}

interface StoreReport {
  readonly ledger: VerifyResult;
  readonly logs: LogsResult | null;
  readonly checks: readonly CheckCount[];
  readonly found: readonly Finding[];
  /** Of every check. */
  readonly faults: number;
  /** What was not checked, and why. */
  readonly notes: readonly string[];
}

interface Finding extends Partial<Pick<LedgerFault, "customerUid" | "storefrontId">> {
  readonly check: string;
  readonly found: string;
}

async function verifyStore(deps: Deps, { workers, against, say, onProgress }: Order): Promise<StoreReport> {
  const found: Finding[] = [];
  const keep = (finding: Finding) => void (found.length < LISTED_MAX && found.push(finding));
  const opened = await openKey(deps);
  const outside = await readOutside(deps, against, opened.key);
  const onFault = (fault: LedgerFault) => {
    keep(fault);
    const { check, customerUid, storefrontId, found: what } = fault;
    say(`FAIL ${check}: customer ${storefrontId ?? "?"} (${customerUid}): ${what}`);
  };
  const tiles = createPassedTiles();
  const pass = (await deps.db.isDistributed()) ? undefined : runPass(deps, opened.key, tiles);
  const order = { onFault, onProgress, more: ORDER_CHECKS, workers, key: opened.key, pass };
  const ledger = await checkLedger(deps.db, order);
  const isChecked = opened.key !== null || outside.checkpoints.length > 0;
  const logs = isChecked ? await checkLogs(deps, opened.key, outside.checkpoints, tiles) : null;
  const texts = [...opened.faults, ...outside.faults, ...(logs?.faults ?? [])];
  for (const what of texts) {
    keep({ check: CHECKPOINT_CHECK.name, found: what });
    say(`FAIL ${CHECKPOINT_CHECK.name}: ${what}`);
  }
  const ofLogs = isChecked || texts.length > 0 ? [{ ...CHECKPOINT_CHECK, faults: texts.length }] : [];
  const checks = [...ledger.checks, ...ofLogs];
  const report = {
    ledger,
    logs,
    checks,
    found,
    faults: ledger.faults + texts.length,
    notes: notesOf(ledger, logs, opened),
  };
  sayReport(report, say);
  return report;
}

/** On a connection of its own, which also reads beyond what a statement of the service may take. */
async function runPass({ db }: Deps, key: LedgerKey | null, { takeLeaf }: PassedTiles): Promise<AllotmentPass> {
  const client = await db.connect();
  try {
    await client.query(SNAPSHOT);
    return await passAllotments(client, { key, takeLeaf });
  } finally {
    await client.end();
  }
}

function sayReport({ ledger, checks, faults, notes }: StoreReport, say: (line: string) => void): void {
  for (const { name, says, faults: count } of checks)
    say(`${count === 0 ? "ok  " : "FAIL"} ${name}: ${says}${count === 0 ? "" : ` (${count} found)`}`);
  for (const note of notes) say(`note ${note}`);
  const result = faults === 0 ? "everything holds" : `${faults} faults`;
  say(`${ledger.customers} customers, ${ledger.allotments} allotments checked: ${result}`);
}

interface OpenedKey {
  readonly key: LedgerKey | null;
  readonly faults: readonly string[];
  /** Why chains are not checked though nothing is wrong; null: they are, or something is. */
  readonly note: string | null;
}

const HAS_CHAINS = `select exists (select true from balance where chained_version > 0) or exists (select from checkpoint) as "hasChains"`;

/** Without the file of the secret keys nothing is opened, which is said; a key that is there and does not open the ledger's is a fault. */
async function openKey(deps: Deps): Promise<OpenedKey> {
  if ((await readSecretKeys(deps.config)) === null)
    return { key: null, faults: [], note: "chains and checkpoints were not checked: the secret key is missing" };
  try {
    const key = await readLedgerKey(deps.db, deps);
    if (key !== null) return { key, faults: [], note: null };
  } catch (error) {
    return { key: null, faults: [error instanceof Error ? error.message : String(error)], note: null };
  }
  const [row] = await deps.db.query<{ hasChains: boolean }>(HAS_CHAINS);
  if (row?.hasChains === true)
    return { key: null, faults: ["the key of the ledger is gone from the database"], note: null };
  return { key: null, faults: [], note: "chains begin when the service starts the next time" };
}

interface Outside {
  readonly checkpoints: readonly Checkpoint[];
  readonly faults: readonly string[];
}

/** The checkpoints that were kept outside: of the option, and the newest of the settings' folder. */
async function readOutside(deps: Deps, path: string | undefined, key: LedgerKey | null): Promise<Outside> {
  const folder = deps.config.checkpointDir;
  const newest = folder === undefined ? null : await readNewestFile({ folder, access: deps.config.objectStore });
  const notes: [name: string, note: string][] = newest === null ? [] : [[`the newest of ${folder}`, newest]];
  if (path !== undefined) notes.push([path, await readGiven(path)]);
  const rows = await deps.db.query<{ publicKey: Buffer }>('select public_key as "publicKey" from ledger_key');
  const keys = [...(key === null ? [] : [key]), ...rows];
  const checkpoints: Checkpoint[] = [];
  const faults: string[] = [];
  for (const [name, note] of notes) {
    const read = keys.map(({ publicKey }) => readCheckpoint(note, publicKey)).find((one) => one !== null);
    if (read == null) faults.push(`${name} is not a checkpoint that a key of this database signed`);
    else checkpoints.push(read);
  }
  return { checkpoints, faults };
}

async function readGiven(path: string): Promise<string> {
  try {
    return await readNoteFile(path);
  } catch (error) {
    throw new UsageError(`--against cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function notesOf({ notLinked }: VerifyResult, logs: LogsResult | null, { note }: OpenedKey): string[] {
  const notes = note === null ? [] : [note];
  if (notLinked > 0)
    notes.push(`${CHAIN_CHECK.name}: ${notLinked} customers are not chained yet: the worker is doing it`);
  const covered = logs?.covered;
  if (covered != null)
    notes.push(
      `the newest checkpoint, of ${covered.time}, covers ${covered.allotments} allotments and ${covered.entries} entries of the audit log`,
    );
  return notes;
}

/** One document: numbers as they are, faults as they were found. */
function jsonOf({ ledger, logs, checks, found, faults, notes }: StoreReport): object {
  const covered = logs?.covered ?? null;
  return {
    ok: faults === 0,
    customers: ledger.customers,
    allotments: ledger.allotments,
    faults,
    checks,
    found: found.map(({ check, storefrontId, customerUid, found: what }) => ({
      check,
      customer_id: storefrontId ?? null,
      customer_uid: customerUid ?? null,
      found: what,
    })),
    not_chained: ledger.notLinked,
    checkpoint:
      covered === null
        ? null
        : { time: covered.time, allotments: Number(covered.allotments), audit_entries: Number(covered.entries) },
    notes,
  };
}

function coloured(line: string): string {
  if (line.startsWith("ok  ")) return `${inTone("good", "ok  ")}${line.slice(4)}`;
  return line.startsWith("FAIL") ? `${inTone("bad", "FAIL")}${line.slice(4)}` : line;
}

function workersOf(text = "1"): number {
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers >= 1 && workers <= WORKERS_MAX) return workers;
  throw new UsageError(`--workers must be a number from 1 to ${WORKERS_MAX}, not "${text}".`);
}
