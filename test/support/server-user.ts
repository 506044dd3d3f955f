import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./use-server.ts", import.meta.url));

/** Another process that uses a data folder's server. */
export interface ServerUser {
  /** The pid of the server's process; rejects with the output if the process ended instead. */
  readonly ready: Promise<number>;
  /** Sends the signal and waits for the end. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Settles with the exit code (null after a signal). */
  readonly ended: Promise<number | null>;
}

/** Starts a process that uses the server like the service or like a command. */
export function startServerUser(
  dataDir: string,
  kind: "service" | "command",
  owner: { uid?: number; gid?: number } = {},
): ServerUser {
  const child = spawn(process.execPath, [SCRIPT, dataDir, kind], { ...owner, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const ready = Promise.race([
    once(child.stdout, "data").then(([data]) => Number(String(data).trim())),
    ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${said}`))),
  ]);
  ready.catch(() => {}); // a test that ends the process first does not read it
  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    child.kill(signal);
    await ended;
  }
  return { ready, end, ended };
}
