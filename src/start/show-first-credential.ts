import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { MadeCredential } from "../credentials/ensure-store-credential.ts";
import type { Log } from "../deps.ts";
import { ConfigError } from "../environment.ts";

/**
 * Shows the store's credential, this one time: on the terminal, or without one (a unit or a container, whose logs are kept) in the file
 * `first-credential` of the data folder, which only its user may read.
 * @throws ConfigError if the file cannot be written
 */
export async function showFirstCredential(
  made: MadeCredential,
  { config, log, isTerminal }: { readonly config: Config; readonly log: Log; readonly isTerminal: boolean },
): Promise<void> {
  if (made.isGiven) return;
  const lines = `  key     ${made.key}\n  secret  ${made.secret}\n`;
  if (isTerminal) {
    process.stdout.write(
      `\nThe store's credential was created. It is shown only once; keep the secret safe:\n\n${lines}\n` +
        `Send both with each request: curl -u ${made.key}:${made.secret} ...\n`,
    );
    return;
  }
  const path = join(config.dataDir, "first-credential");
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await rm(path, { force: true }); // left by a start that failed before its credential was valid
    await writeFile(path, lines, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw new ConfigError(
      `The store's credential cannot be written to ${path} (${error instanceof Error ? error.message : String(error)}). ` +
        "Give one with POINTKEEPER_API_KEY and POINTKEEPER_API_SECRET, or another folder with POINTKEEPER_DATA_DIR.",
    );
  }
  log.warn(
    { file: path },
    "the store's credential was created and is in this file: store it elsewhere, then remove the file",
  );
}
