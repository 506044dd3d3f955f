import { checkSettings, SETTINGS_CHECK } from "../audit/check-settings.ts";
import { CHECKPOINT_CHECK, checkLogs, type LogsResult } from "../checkpoints/check-logs.ts";
import { readNewestFile } from "../checkpoints/checkpoint-files.ts";
import { createFactsHasher, type TileHasher } from "../checkpoints/create-facts-hasher.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoints/signed-note.ts";
import type { Config } from "../config.ts";
import type { SecretBox } from "../credentials/secret-box.ts";
import type { Db } from "../db/pool.ts";
import { SNAPSHOT } from "../db/stream-rows.ts";
import { whileAnswering } from "../file-calls.ts";
import type { LedgerKey } from "../ledger/key/ledger-key.ts";
import { readLedgerKey } from "../ledger/key/ledger-key-queries.ts";
import type { CheckCount, LedgerFault, VerifyOptions, VerifyResult } from "../ledger/verify/check-ledger.ts";
import { checkLedger } from "../ledger/verify/check-ledger.ts";
import { type AllotmentPass, passAllotments } from "../ledger/verify/pass-allotments.ts";
import { CHAIN_CHECK } from "../ledger/verify/verify-chains.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { TIER_CHECKS } from "../tiers/tier-checks.ts";
import { countText } from "./output.ts";
import { readNamedNote } from "./read-named-note.ts";

/** The maximum number of faults that a report lists; all are counted. */
const LISTED_MAX = 10_000;

interface Verified {
  readonly db: Db;
  /** Null: the secret key is missing. */
  readonly secretBox: SecretBox | null;
  readonly config: Pick<Config, "checkpointDir" | "objectStore">;
}

interface Order extends Pick<VerifyOptions, "onProgress" | "workers"> {
  /** A file with a checkpoint that was stored elsewhere. */
  readonly against?: string | undefined;
  readonly say: (line: string) => void;
  /**
   * Whether a key that does not decrypt the ledger's is only a note that chains were not checked: a backup may be older than the key, or of another
   * store.
   */
  readonly isKeyOptional?: boolean;
}

export interface StoreReport {
  readonly ledger: VerifyResult;
  readonly logs: LogsResult | null;
  readonly checks: readonly CheckCount[];
  readonly found: readonly Finding[];
  /** The total of all checks. */
  readonly faults: number;
  /** What was not checked, and why. */
  readonly notes: readonly string[];
}

interface Finding extends Partial<Pick<LedgerFault, "customerUid" | "storefrontId">> {
  readonly check: string;
  readonly found: string;
}

/**
 * Checks every invariant of the ledger, the settings whose changes the audit log has, and with the secret key chains and checkpoints, and says what was
 * found. `say` gets a line for each fault, each check and each note.
 */
export async function verifyStore(store: Verified, order: Order): Promise<StoreReport> {
  const { against, say } = order;
  const found: Finding[] = [];
  const keep = (finding: Finding) => void (found.length < LISTED_MAX && found.push(finding));
  const opened = await openKey(store, order);
  const outside = await readOutside(store, against, opened.key);
  const onFault = (fault: LedgerFault) => {
    keep(fault);
    const { check, customerUid, storefrontId, found: what } = fault;
    say(`FAIL ${check}: customer ${storefrontId ?? "?"} (${customerUid}): ${what}`);
  };
  const hasher = createFactsHasher();
  const pass = (await store.db.isDistributed()) ? undefined : runPass(store, opened.key, hasher);
  const { workers = 1, onProgress } = order;
  const checked = { onFault, onProgress, more: [...ORDER_CHECKS, ...TIER_CHECKS], workers, key: opened.key, pass };
  const ledger = await checkLedger(store.db, checked);
  const isChecked = opened.key !== null || outside.checkpoints.length > 0;
  const logs = isChecked ? await checkLogs(store, opened.key, outside.checkpoints, hasher) : null;
  const ofLogs = [...opened.faults, ...outside.faults, ...(logs?.faults ?? [])];
  const ofSettings = await checkSettings(store.db);
  const texts = [
    ...ofLogs.map((what): Finding => ({ check: CHECKPOINT_CHECK.name, found: what })),
    ...ofSettings.map((what): Finding => ({ check: SETTINGS_CHECK.name, found: what })),
  ];
  for (const finding of texts) {
    keep(finding);
    say(`FAIL ${finding.check}: ${finding.found}`);
  }
  const checks = [
    ...ledger.checks,
    { ...SETTINGS_CHECK, faults: ofSettings.length },
    ...(isChecked || ofLogs.length > 0 ? [{ ...CHECKPOINT_CHECK, faults: ofLogs.length }] : []),
  ];
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

/** Runs on a separate connection, which may also exceed the time limit of the service's statements. */
async function runPass({ db }: Verified, key: LedgerKey | null, hasher: TileHasher): Promise<AllotmentPass> {
  const client = await db.connect();
  try {
    await client.query(SNAPSHOT);
    return await passAllotments(client, { key, hasher });
  } finally {
    await Promise.all([client.end(), hasher.close()]);
  }
}

function sayReport({ ledger, logs, checks, faults, notes }: StoreReport, say: (line: string) => void): void {
  for (const { name, says, faults: count } of checks)
    say(`${count === 0 ? "ok  " : "FAIL"} ${name}: ${says}${count === 0 ? "" : ` (${count} found)`}`);
  for (const note of notes) say(`note ${note}`);
  const holds = logs === null ? "all that was checked holds" : "everything holds";
  const result = faults === 0 ? holds : countText(faults, "fault");
  say(`${countText(ledger.customers, "customer")}, ${countText(ledger.allotments, "allotment")} checked: ${result}`);
}

interface OpenedKey {
  readonly key: LedgerKey | null;
  readonly faults: readonly string[];
  /** Why chains are not checked although nothing is wrong; null: they are checked, or something is wrong. */
  readonly note: string | null;
}

const OTHER_KEY = "chains and checkpoints were not checked: the secret key that is set is not the one of this backup";
const HAS_CHAINS = `select exists (select true from balance where chained_version > 0) or exists (select true from checkpoint) as "hasChains"`;

/** Without the key file nothing is decrypted, which is a note; a key that does not decrypt the ledger's is a fault. */
async function openKey({ db, secretBox }: Verified, { isKeyOptional = false }: Order): Promise<OpenedKey> {
  if (secretBox === null)
    return { key: null, faults: [], note: "chains and checkpoints were not checked: the secret key is missing" };
  try {
    const key = await readLedgerKey(db, { secretBox });
    if (key !== null) return { key, faults: [], note: null };
  } catch (error) {
    if (isKeyOptional) return { key: null, faults: [], note: OTHER_KEY };
    return { key: null, faults: [error instanceof Error ? error.message : String(error)], note: null };
  }
  const [row] = await db.query<{ hasChains: boolean }>(HAS_CHAINS);
  if (row?.hasChains === true)
    return { key: null, faults: ["the key of the ledger is gone from the database"], note: null };
  return { key: null, faults: [], note: "chains begin when the service starts the next time" };
}

interface Outside {
  readonly checkpoints: readonly Checkpoint[];
  readonly faults: readonly string[];
}

/** Returns the checkpoints that were stored elsewhere: that of the option, and the newest of the configured folder. */
async function readOutside(
  { db, config }: Verified,
  path: string | undefined,
  key: LedgerKey | null,
): Promise<Outside> {
  const folder = config.checkpointDir;
  const readNewest = (of: string) => readNewestFile({ folder: of, access: config.objectStore });
  const newest = folder === undefined ? null : await inPlace(folder, readNewest);
  const notes: [name: string, note: string][] = newest === null ? [] : [[`the newest of ${folder}`, newest]];
  if (path !== undefined) notes.push([path, await readNamedNote(path, "--against")]);
  const rows = await db.query<{ publicKey: Buffer }>('select public_key as "publicKey" from ledger_key');
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

/** Requests to a bucket have limits of their own. */
function inPlace<T>(folder: string, read: (folder: string) => Promise<T>): Promise<T> {
  return isObjectPlace(folder) ? read(folder) : whileAnswering(folder, () => read(folder));
}

function notesOf({ notLinked, allotments }: VerifyResult, logs: LogsResult | null, { note }: OpenedKey): string[] {
  const notes = note === null ? [] : [note];
  if (notLinked > 0)
    notes.push(`${CHAIN_CHECK.name}: ${countText(notLinked, "customer")} not chained yet: the worker does it`);
  if (logs !== null && logs.covered === null && allotments > 0)
    notes.push(
      "there is no checkpoint: a customer who is missing as a whole would not be found. A running worker signs one",
    );
  const covered = logs?.covered;
  if (covered != null)
    notes.push(
      `the newest checkpoint, of ${covered.time}, covers ${covered.allotments} allotments and ${covered.entries} entries of the audit log`,
    );
  return notes;
}
