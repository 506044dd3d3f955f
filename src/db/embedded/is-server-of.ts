import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { isPostgres } from "./postmaster-file.ts";

/** Whether the process is the main process of the server on this folder (a zombie is not). */
export async function isServerOf(pid: number, pgDir: string): Promise<boolean> {
  if (process.platform !== "linux") {
    const ps = await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="]).catch(() => ({ stdout: "" }));
    return ps.stdout.includes("postgres") && ps.stdout.includes(pgDir);
  }
  try {
    const [exe, commandLine] = await Promise.all([
      readlink(`/proc/${pid}/exe`),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    return isPostgres(exe) && commandLine.split("\0").includes(pgDir);
  } catch {
    return false;
  }
}
