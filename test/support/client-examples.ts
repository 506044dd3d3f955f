import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Returns the code blocks of a language in a Markdown file of the project, in order. */
export function codeBlocks(path: string, language: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    (match) => match[1] ?? "",
  );
}

export interface Example {
  /** Resolves when the program has printed this text; rejects if it ends before. */
  waitFor(text: string): Promise<void>;
  /** The exit code and the output. */
  readonly ended: Promise<{ code: number | null; output: string }>;
  kill(): void;
}

/** Starts a program with these settings added to the environment. */
export function startExample(
  [file = "", ...args]: readonly string[],
  env: Record<string, string>,
  cwd = ROOT,
): Example {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
  const waitFor = (text: string) =>
    Promise.race([
      new Promise<void>((resolve) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        listeners.add(look);
        look();
      }),
      ended.then(() => {
        if (!output.includes(text)) throw new Error(`ended before it wrote ${text}: ${output}`);
      }),
    ]);
  return { waitFor, ended, kill: () => child.kill("SIGKILL") };
}

/** Returns a TypeScript example of the package's README that imports the package's sources instead of its name. */
export function runnableExample(code: string): string {
  return code.replaceAll('"@pointkeeper/client"', JSON.stringify(join(ROOT, "packages/client/src/index.ts")));
}
