import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** The inherited variables of a process; only the demo sets the service's settings. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "LANG", "NODE_COMPILE_CACHE"];
const OUTPUT_KEPT = 20_000;

export interface PointkeeperProcess {
  /** The end of its output, both streams together. */
  output(): string;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Runs `pointkeeper ...` as a separate process in its own process group, so that Ctrl-C in the terminal reaches only the demo, which then stops it
 * properly. Its output is also written to `logFile`.
 */
export function runPointkeeper(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): PointkeeperProcess {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const child = spawn(join(ROOT, "bin", "pointkeeper"), args, {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const log = createWriteStream(logFile, { flags: "a" });
  let output = "";
  const take = (piece: Buffer) => {
    log.write(piece);
    output = (output + piece.toString()).slice(-OUTPUT_KEPT);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const killNow = () => void child.kill("SIGKILL");
  process.once("exit", killNow);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", killNow);
      log.end(() => resolve(code));
    });
  });
  return { output: () => output, ended, kill: (signal) => void child.kill(signal) };
}
