import { stat } from "node:fs/promises";
import { ConfigError } from "../environment.ts";
import { splitCommand, UPLOAD_BYTES_MAX, UPLOAD_MB_MAX } from "../wire/split-command.ts";

/** Throws ConfigError for a file that is too large to be imported, with the command that splits it. Does nothing for other kinds of paths. */
export async function checkUploadSize(path: string): Promise<void> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size <= UPLOAD_BYTES_MAX) return;
  const megabytes = Math.ceil(size / 1_048_576).toLocaleString("en");
  throw new ConfigError(
    `${path} has ${megabytes} MB: expected at most ${UPLOAD_MB_MAX} MB. Split it, each part with the first line, and import the parts one after the other (docs/moving-in.md, Large files):\n${splitCommand(path)}`,
  );
}
