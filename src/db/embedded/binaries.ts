import { join } from "node:path";

/** The server's programs, brought by npm. `root` holds `bin`, `lib` and `share`; `version` is the package's. */
export interface Binaries {
  readonly root: string;
  readonly version: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs below one folder of the package's layout. */
export function binariesAt(root: string, version: string): Binaries {
  return { root, version, initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres") };
}

/** The major version of PostgreSQL: "18" of "18.4.0-beta.17". */
export function majorOf(version: string): string {
  return version.split(".")[0] ?? version;
}
