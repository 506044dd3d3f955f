import { type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate } from "../time/store-time.ts";
import type { MessageKind } from "../wire/messages.ts";
import { deleteOldOccasions, selectMessageSettings } from "./message-queries.ts";
import { queueNextMessages } from "./queue-next-messages.ts";

/** The kinds that become outdated soonest come first. */
const ORDER: readonly MessageKind[] = ["birthday", "tier_reached", "expiry_reminder", "statement"];
/** A run ends after this time; the next run continues. */
const RUN_MS = 30_000;

type SendDeps = BackpressureDeps & Pick<Deps, "db" | "config" | "clock" | "random" | "secretBox" | "wake" | "log">;

/**
 * Queues the due messages of the kinds that are turned on, in short transactions. It may be killed at any point, run again, and run by several
 * nodes at once: each occasion is recorded in the transaction that queues its message. Does nothing where no mail server is set. Returns the
 * number of queued messages.
 */
export async function sendMessages(deps: SendDeps, signal?: AbortSignal): Promise<number> {
  await pruneOccasions(deps, signal);
  if (deps.config.mail === null) return 0;
  const settings = await selectMessageSettings(deps.db);
  const startedMs = performance.now();
  let count = 0;
  for (const kind of ORDER) {
    if (settings.some((setting) => setting.kind === kind && setting.isOn))
      count += await queueKind(deps, kind, () => signal?.aborted === true || performance.now() - startedMs > RUN_MS);
  }
  return count;
}

async function queueKind(deps: SendDeps, kind: MessageKind, isTimeOver: () => boolean): Promise<number> {
  let count = 0;
  while (!isTimeOver()) {
    const startedMs = performance.now();
    const { queued, isOver } = await deps.db.tx((tx) => queueNextMessages(tx, deps, kind));
    count += queued;
    if (isOver) break;
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return count;
}

async function pruneOccasions(deps: SendDeps, signal: AbortSignal | undefined): Promise<void> {
  const today = localDate(deps.clock.now(), (await readProgram(deps.db)).store.timeZone);
  while (signal?.aborted !== true && (await deleteOldOccasions(deps.db, today)));
}
