import { bytesOf, type Manifest, rowsOf } from "../backup/manifest.ts";
import { restoreStore } from "../backup/restore-store.ts";
import { readConfig, UsageError } from "../config.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { jsonTime, print } from "./output.ts";
import { raceInterrupts } from "./until-interrupted.ts";

/** `pointkeeper restore <backup> [--to <time>] [--identity <file>] [--without-key]`: restores into the store of the settings. */
export async function restore(given: Given): Promise<number> {
  const { operands, options } = given;
  const config = readConfig();
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const order = {
    path: operands[0] ?? "",
    to: timeOption(options.get("to")),
    identityPath: options.get("identity"),
    isKeyOptional: options.has("without-key"),
  };
  const manifest = await raceInterrupts((interrupted) =>
    Promise.race([interrupted, restoreStore({ config, log }, order)]),
  );
  const place = config.databaseUrl === undefined ? config.dataDir : "the database of DATABASE_URL";
  const what = manifest.kind === "physical" ? "The files" : `${rowsOf(manifest).toLocaleString("en")} rows`;
  const moment = `from the backup of ${manifest.startedAt}${order.to === undefined ? "" : `, up to ${order.to}`}`;
  const text = [
    `${what} were restored into ${place} ${moment}.`,
    "Run pointkeeper verify. A started service sends what was waiting for delivery: see docs/backup.md before you start a copy beside the original.",
  ];
  print(given, { json: { place, ...backupJson(manifest), restored_to: jsonTime(order.to) }, text });
  return 0;
}

/** Parses an option that is an instant: `2026-03-01T09:30:00Z`. */
export function timeOption(text: string | undefined): Temporal.Instant | undefined {
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new UsageError(`--to must be a time with its offset, as in 2026-03-01T09:30:00Z, not "${text}".`);
  }
}

/** Returns the JSON output about a backup. */
export function backupJson(manifest: Manifest) {
  const { kind, startedAt, endedAt, isEncrypted } = manifest;
  const rows = manifest.kind === "physical" ? null : rowsOf(manifest);
  return { kind, started_at: startedAt, ended_at: endedAt, is_encrypted: isEncrypted, bytes: bytesOf(manifest), rows };
}
