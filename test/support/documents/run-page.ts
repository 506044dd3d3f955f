import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { TEST_SECRET_KEY } from "../secret-box.ts";
import type { TestService } from "../service.ts";
import { makeFolder } from "../service-process.ts";
import type { Block } from "./read-documents.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** What a reader of a page already has. */
export interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

export interface PageRun {
  readonly code: number | null;
  /** The output, with a line before each block. */
  readonly output: string;
  /** The status of each request, in order. */
  readonly statuses: readonly number[];
}

/** The statuses of refused requests that a block gives in comments: `# 422, with ...`. */
export function refusalsOf(blocks: readonly Block[]): number[] {
  return blocks.flatMap(({ code }) => [...code.matchAll(/# (4\d\d|5\d\d)\b/g)].map((match) => Number(match[1])));
}

/** The output that a block gives in comments: `# shows "points_awarded":13`. */
export function shownBy(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ code }) => [...code.matchAll(/# shows (.+)$/gm)].map((match) => match[1] ?? ""));
}

/**
 * Runs the blocks of one page in order, like a reader in a terminal: by bash, in a separate folder, with `curl` and `npx pointkeeper` against the
 * service. It stops at the first command that fails.
 */
export async function runBlocks(service: TestService, blocks: readonly Block[], given: Given = {}): Promise<PageRun> {
  const folder = await makeFolder();
  try {
    const place = join(folder.path, "work");
    await mkdir(place);
    await writeTools(join(folder.path, "bin"), service, join(folder.path, "statuses"));
    for (const [name, text] of Object.entries(given.files ?? {})) await writeFile(join(place, name), text);
    const script = blocks.map(({ code }, index) => `echo "--- block ${index + 1}"\n${code}`).join("\n");
    const env = { ...environmentOf(service, folder.path), ...given.env };
    const { code, output } = await runBash(script.replaceAll("/mnt/backups", `${folder.path}/backups`), place, env);
    const statuses = await readFile(join(folder.path, "statuses"), "utf8").catch(() => "");
    return { code, output, statuses: statuses.split("\n").filter(Boolean).map(Number) };
  } finally {
    await folder.remove();
  }
}

/** `curl` calls the service instead of 127.0.0.1:3000 and records each status; `npx pointkeeper` runs the project's command. */
async function writeTools(bin: string, service: TestService, statuses: string): Promise<void> {
  // A store of a test has no data folder, so that a check of `doctor` fails.
  const cli = `"${join(ROOT, "bin", "pointkeeper")}" "$@" || { code=$?; [ "$1 $code" = "doctor 1" ] || exit $code; }`;
  const tools = {
    curl: `body=$(mktemp "\${TMPDIR:-/tmp}/body.XXXXXX")
status=$(PATH="$SYSTEM_PATH" command curl -sS --max-time 60 --connect-to 127.0.0.1:3000:127.0.0.1:${new URL(service.url).port} -o "$body" -w '%{http_code}' "$@") || exit 1
echo "$status" >> "${statuses}"
cat "$body"; rm "$body"`,
    npx: `if [ "$1" != pointkeeper ]; then echo "npx $1 is not run here" >&2; exit 1; fi
shift
${cli}`,
    pointkeeper: cli,
    npm: `echo "npm $1 is not run here" >&2; exit 1`,
  };
  await mkdir(bin);
  for (const [name, text] of Object.entries(tools)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
}

function environmentOf(service: TestService, folder: string): Record<string, string> {
  const urlOf = ({ host, port, user, database }: pg.ClientConfig) =>
    `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
  const path = process.env["PATH"] ?? "";
  return {
    PATH: `${join(folder, "bin")}:${path}`,
    SYSTEM_PATH: path,
    TMPDIR: folder,
    HOME: folder,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    KEY: service.credential.key,
    SECRET: service.credential.secret,
    API: "http://127.0.0.1:3000/api/storefront",
    DATABASE_URL: urlOf(service.connection),
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: join(folder, "none"),
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
  };
}

function runBash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-eu", "-o", "pipefail", "-c", script], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece: Buffer) => {
        output += piece.toString();
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
