import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface SmallDisk {
  readonly path: string;
  /** Changes options of the mount, as `size=20g`. */
  remount(options: string): Promise<void>;
  unmount(): void;
}

/** A disk of 4 MB in a mount namespace of its own, which takes no privilege on Linux; others reach it by its holder's root. */
export async function mountSmallDisk(at: string, options = "size=4m"): Promise<SmallDisk> {
  await mkdir(at);
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && echo mounted && exec sleep 600';
  const args = ["--user", "--map-root-user", "--mount", "sh", "-c", script, at, options];
  const holder: ChildProcess = spawn("unshare", args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    holder.on("error", reject);
    holder.on("close", () => reject(new Error("no small disk could be mounted")));
    holder.stdout?.on("data", () => resolve());
  });
  return {
    path: join(`/proc/${holder.pid}/root`, at),
    async remount(changed) {
      const inside = ["-t", String(holder.pid), "--user", "--preserve-credentials", "--mount"];
      await promisify(execFile)("nsenter", [...inside, "mount", "-o", `remount,${changed}`, at]);
    },
    unmount: () => void holder.kill("SIGKILL"),
  };
}
