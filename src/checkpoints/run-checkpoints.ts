import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Deps } from "../deps.ts";
import { checkExternalNote } from "./check-external-note.ts";
import { readNewestFile, writeCheckpointFile } from "./checkpoint-files.ts";
import { closeCheckpoint } from "./close-checkpoint.ts";
import { addBreaches } from "./self-check-queries.ts";

type RunDeps = Pick<Deps, "db" | "clock" | "secretBox" | "config" | "log">;

/** The maximum per run; a store that has caught up needs one. */
const CLOSES_MAX = 100;
const PAUSE_MS = 20;
const SEND_MS = 10_000;
/** The minimum time between two notes sent to the address; the newest one is sent. */
const SEND_EVERY_MS = 60_000;

/** The note of this process that has not been sent to the address yet, and when it may be sent, by database. */
const unsent = new WeakMap<Deps["db"], { note: string | null; fromMs: number }>();

/**
 * Closes a checkpoint if something was settled since the last one, and delivers it to the outside: to a folder and an address. An altered
 * ledger is not signed: it is recorded as a breach of the self-check.
 */
export async function runCheckpoints(deps: RunDeps): Promise<void> {
  let newest: string | null = null;
  for (let n = 0; n < CLOSES_MAX; n++) {
    const outcome = await closeCheckpoint(deps);
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
  if (newest !== null) await keepOutside(deps, newest);
  await sendOutside(deps, newest);
}

async function keepOutside(deps: RunDeps, note: string): Promise<void> {
  const { db, config, log } = deps;
  if (config.checkpointDir === undefined) return;
  const time = /^time (\S+)$/m.exec(note)?.[1] ?? "";
  const folder = { folder: config.checkpointDir, access: config.objectStore };
  try {
    const kept = await readNewestFile(folder);
    const found = await checkExternalNote(deps, { kept, next: note });
    if (found !== null) {
      await addBreaches(db, [`checkpoints: ${found}`]);
      log.error(
        { found, folder: config.checkpointDir },
        "the newest checkpoint outside is not written over: see docs/ledger-proofs.md",
      );
      return;
    }
    await writeCheckpointFile(folder, { note, time });
  } catch (error) {
    log.error({ error, folder: config.checkpointDir }, "a checkpoint could not be written to its folder");
  }
}

async function sendOutside({ db, config, log }: RunDeps, note: string | null): Promise<void> {
  if (config.checkpointUrl === undefined) return;
  const state = unsent.get(db) ?? { note: null, fromMs: 0 };
  unsent.set(db, state);
  if (note !== null) state.note = note;
  if (state.note === null || performance.now() < state.fromMs) return;
  state.fromMs = performance.now() + SEND_EVERY_MS;
  try {
    const { statusCode, body } = await request(config.checkpointUrl, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: state.note,
      signal: AbortSignal.timeout(SEND_MS),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) state.note = null;
    else log.warn({ statusCode }, "POINTKEEPER_CHECKPOINT_URL did not accept a checkpoint");
  } catch (error) {
    log.warn({ error }, "a checkpoint could not be sent to POINTKEEPER_CHECKPOINT_URL");
  }
}
