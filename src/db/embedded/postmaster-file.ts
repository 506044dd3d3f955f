import { basename } from "node:path";

/** What `postmaster.pid` says of the server that wrote it. `socketDir` is absent while the server still starts. */
export interface PostmasterFile {
  readonly pid: number;
  readonly dataDir: string;
  readonly socketDir: string | undefined;
}

/** Reads the text of `postmaster.pid` (pid, data folder, start, port, socket folder, ...); undefined when it is half-written. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pidText = "", dataDir = "", , , socketDir = ""] = text.split("\n");
  const pid = Number(pidText.trim());
  if (!Number.isSafeInteger(pid) || pid <= 0 || dataDir === "") return undefined;
  return { pid, dataDir: dataDir.trim(), socketDir: socketDir.trim() === "" ? undefined : socketDir.trim() };
}

/** Whether a program's path, as `/proc/<pid>/exe` gives it, is a PostgreSQL server. */
export function isPostgres(exe: string): boolean {
  return basename(exe.replace(/ \(deleted\)$/, "")) === "postgres";
}
