import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Deps } from "../deps.ts";
import { noteCall } from "../file-calls.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { checkExternalNote } from "./check-external-note.ts";
import { readNewestFile, writeCheckpointFile } from "./checkpoint-files.ts";
import { selectNewestCheckpoint } from "./checkpoint-queries.ts";
import { closeCheckpoint } from "./close-checkpoint.ts";
import { addBreaches } from "./self-check-queries.ts";

type RunDeps = Pick<Deps, "db" | "clock" | "secretBox" | "config" | "log">;

/** The maximum per run; a store that has caught up needs one. */
const CLOSES_MAX = 100;
const PAUSE_MS = 20;
const SEND_MS = 10_000;
/** The minimum time between two notes sent to the address, before the next try of either place, and between two lines of the log that one does not answer. */
const SEND_EVERY_MS = 60_000;

/** A run does not wait longer for the folder: a network share that is away answers after minutes or never, and checkpoints are closed all the same. */
const FOLDER_WAIT_MS = 5_000;
/** The address answers within its own limit, or is given up. */
const ADDRESS_WAIT_MS = SEND_MS + 1_000;

/** Whether the newest note is still to be delivered to a place outside, and how far that is. */
interface Delivery {
  readonly waitMs: number;
  isBehind: boolean;
  /** From when on it may be tried. */
  fromMs: number;
  /** Since when it is being done; null: it is not. */
  beganMs: number | null;
  /** From when on the log says again that the place does not answer. */
  saysFromMs: number;
}

const newDelivery = (waitMs: number): Delivery => ({ waitMs, isBehind: true, fromMs: 0, beganMs: null, saysFromMs: 0 });

/** By database. What a process that ended had not delivered is unknown, so the first run delivers the newest note again. */
const deliveries = new WeakMap<Deps["db"], { readonly folder: Delivery; readonly address: Delivery }>();

/**
 * Closes a checkpoint if something was settled since the last one, and delivers it to the outside: to a folder and an address. An altered
 * ledger is not signed: it is recorded as a breach of the self-check.
 */
export async function runCheckpoints(deps: RunDeps): Promise<void> {
  let newest: string | null = null;
  let isAltered = false;
  for (let n = 0; n < CLOSES_MAX; n++) {
    const outcome = await closeCheckpoint(deps);
    isAltered = outcome.kind === "altered";
    if (outcome.kind === "altered") {
      const found = `checkpoints: ${outcome.found}`;
      await addBreaches(deps.db, [found]);
      deps.log.error(
        { found },
        "no checkpoint was signed: the ledger is not what the last one covers, see docs/ledger-proofs.md",
      );
    }
    if (outcome.kind === "closed") newest = outcome.note;
    if (outcome.kind !== "closed" || !outcome.isMore) break;
    await delay(PAUSE_MS);
  }
  const { folder, address } = deliveries.get(deps.db) ?? {
    folder: newDelivery(FOLDER_WAIT_MS),
    address: newDelivery(ADDRESS_WAIT_MS),
  };
  deliveries.set(deps.db, { folder, address });
  if (newest !== null) {
    folder.isBehind = true;
    folder.fromMs = 0; // a new note is written to the folder at once
    address.isBehind = true;
  }
  if (isAltered && newest === null) return; // the newest one of the database may be what was altered
  await deliver(deps, folder, newest, keepOutside);
  await deliver(deps, address, newest, sendOutside);
}

/** Delivers the newest note where that is due. One that could not be delivered is tried again, or a newer one. */
async function deliver(
  deps: RunDeps,
  delivery: Delivery,
  closed: string | null,
  send: (deps: RunDeps, note: string) => Promise<boolean>,
): Promise<void> {
  if (delivery.beganMs !== null) return sayAway(deps, delivery, delivery.beganMs);
  if (!delivery.isBehind || performance.now() < delivery.fromMs) return;
  const note = closed ?? (await selectNewestCheckpoint(deps.db))?.note;
  if (note === undefined) return;
  const beganMs = performance.now();
  delivery.fromMs = beganMs + SEND_EVERY_MS;
  delivery.isBehind = false; // until a newer note is closed, or this one is not delivered
  delivery.beganMs = beganMs;
  const sending = send(deps, note).then((isDelivered) => {
    delivery.beganMs = null;
    if (!isDelivered) delivery.isBehind = true;
  });
  const end = new AbortController();
  await Promise.race([sending, delay(delivery.waitMs, undefined, { ref: false, signal: end.signal })]);
  end.abort();
  if (delivery.beganMs !== null) sayAway(deps, delivery, beganMs);
}

/** Says in the log that a place does not answer, once in a while. */
function sayAway({ log }: RunDeps, delivery: Delivery, beganMs: number): void {
  const nowMs = performance.now();
  if (nowMs < delivery.saysFromMs) return;
  delivery.saysFromMs = nowMs + SEND_EVERY_MS;
  const waitedMs = Math.round(nowMs - beganMs);
  log.error({ waitedMs }, "a place outside for checkpoints does not answer: they are closed all the same");
}

/** Returns whether there is nothing more to do for a note. */
async function keepOutside(deps: RunDeps, note: string): Promise<boolean> {
  const { db, config, log } = deps;
  if (config.checkpointDir === undefined) return true;
  const time = /^time (\S+)$/m.exec(note)?.[1] ?? "";
  const folder = { folder: config.checkpointDir, access: config.objectStore };
  const noted = <T>(call: Promise<T>) => (isObjectPlace(folder.folder) ? call : noteCall(call));
  try {
    const kept = await noted(readNewestFile(folder));
    const found = await checkExternalNote(deps, { kept, next: note });
    if (found !== null) {
      await addBreaches(db, [`checkpoints: ${found}`]);
      log.error(
        { found, folder: config.checkpointDir },
        "the newest checkpoint outside is not written over: see docs/ledger-proofs.md",
      );
      return true;
    }
    await noted(writeCheckpointFile(folder, { note, time }));
    return true;
  } catch (error) {
    log.error({ error, folder: config.checkpointDir }, "a checkpoint could not be written to its folder");
    return false;
  }
}

/** Returns whether the address took a note, or there is none. */
async function sendOutside({ config, log }: RunDeps, note: string): Promise<boolean> {
  if (config.checkpointUrl === undefined) return true;
  try {
    const { statusCode, body } = await request(config.checkpointUrl, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: note,
      signal: AbortSignal.timeout(SEND_MS),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) return true;
    log.warn({ statusCode }, "POINTKEEPER_CHECKPOINT_URL did not accept a checkpoint");
  } catch (error) {
    log.warn({ error }, "a checkpoint could not be sent to POINTKEEPER_CHECKPOINT_URL");
  }
  return false;
}
