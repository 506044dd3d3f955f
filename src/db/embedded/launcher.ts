import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import type { ProgramCommand } from "./command.ts";

/** How the server's programs are run on this machine, and where its files are. */
export interface Launcher {
  /** Contains `pg` and `run`: the data folder, unless the server's user cannot enter it. */
  readonly home: string;
  readonly binaries: Binaries;
  /** The user that owns the server's files; undefined: the user of this process. */
  readonly owner: ProgramCommand["owner"];
  /** Whether a server started here ends when this process does. */
  readonly endsWithParent: boolean;
  /** Wraps a program so that the server accepts its user. */
  command(file: string, args: readonly string[]): ProgramCommand;
}

/** Names the folder that really contains the data, if the server's user cannot enter the data folder. */
export const LOCATION_FILE = "pg.location";

/** Returns the folder that contains `pg` and `run` of a data folder: itself, unless it names another. */
export async function homeOf(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, LOCATION_FILE), "utf8").catch(() => dataDir)).trim();
}

/** Returns a launcher that puts `prefix` (`unshare`, `setpriv`) before each program. */
export function launcherOf(
  home: string,
  binaries: Binaries,
  prefix: readonly string[],
  owner?: ProgramCommand["owner"],
): Launcher {
  const command = (program: string, programArgs: readonly string[]): ProgramCommand => {
    const [file = program, ...args] = [...prefix, program, ...programArgs];
    return { file, args, owner };
  };
  return { home, binaries, owner, endsWithParent: prefix.includes("--pdeathsig"), command };
}
