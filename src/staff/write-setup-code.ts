import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { ensureSetupCode } from "./ensure-setup-code.ts";
import { SETUP_CODE_FILE } from "./setup-code.ts";

/** The setup code and the path of its file; null: the folder cannot be written, so the code is shown only on the terminal. */
export interface WrittenSetupCode {
  readonly code: string;
  readonly file: string | null;
}

/**
 * Writes the setup code to the file `setup-code` of the data folder, which only its user can read, until there is an owner. Returns null once
 * there is one, and removes a file that was left.
 */
export async function writeSetupCode(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox" | "config">,
): Promise<WrittenSetupCode | null> {
  const { dataDir } = deps.config;
  const path = join(dataDir, SETUP_CODE_FILE);
  const code = await ensureSetupCode(deps);
  if (code === null) {
    await rm(path, { force: true }).catch(() => {}); // it opens nothing
    return null;
  }
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${code}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
    return { code, file: path };
  } catch {
    await rm(draft, { force: true }).catch(() => {}); // the folder may not be there at all
    return { code, file: null };
  }
}
