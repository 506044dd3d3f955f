import { basename } from "node:path";

/** The content of `postmaster.pid`, written by the server. `socketDir` is absent while the server is starting. */
export interface PostmasterFile {
  readonly pid: number;
  readonly dataDir: string;
  readonly socketDir: string | undefined;
}

/** Parses the text of `postmaster.pid` (pid, data folder, start, port, socket folder, ...); undefined if it is incomplete. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pidText = "", dataDir = "", , , socketDir = ""] = text.split("\n");
  const pid = Number(pidText.trim());
  if (!Number.isSafeInteger(pid) || pid <= 0 || dataDir === "") return undefined;
  return { pid, dataDir: dataDir.trim(), socketDir: socketDir.trim() === "" ? undefined : socketDir.trim() };
}

/** Whether a program's path, as in `/proc/<pid>/exe`, is a PostgreSQL server. */
export function isPostgres(exe: string): boolean {
  return basename(exe.replace(/ \(deleted\)$/, "")) === "postgres";
}
