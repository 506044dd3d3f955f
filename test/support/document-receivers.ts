import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, type Example, startExample } from "./client-examples.ts";
import { freePort } from "./free-port.ts";

/** How to run a file of each language of docs/receivers.md. PHP's server prints no line when it is ready. */
const LANGUAGES = {
  node: { fence: "js", file: "receiver.mjs", version: [process.execPath, "--version"], run: [process.execPath] },
  python: { fence: "python", file: "receiver.py", version: ["python3", "--version"], run: ["python3"] },
  php: { fence: "php", file: "receiver.php", version: ["php", "--version"], run: ["php", "-S", "127.0.0.1:PORT"] },
  go: { fence: "go", file: "receiver.go", version: ["go", "version"], run: ["go", "run"] },
  ruby: { fence: "ruby", file: "receiver.rb", version: ["ruby", "--version"], run: ["ruby"] },
} as const;

export type Language = keyof typeof LANGUAGES;
export const ALL_LANGUAGES = ["node", "python", "php", "go", "ruby"] as const satisfies readonly Language[];

export interface DocumentReceiver {
  readonly url: string;
  /** Resolves when the program has printed this text. */
  waitFor(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** Returns whether this machine can run programs of the language. */
export function isInstalled(language: Language): boolean {
  const [file, ...args] = LANGUAGES[language].version;
  return spawnSync(file ?? "", args).status === 0;
}

/** A port for a receiver. The subscription needs it before the receiver can have its secret. */
export const receiverPort = freePort;

/** Writes the language's only block of the page into a file below `folder` and starts it. */
export async function startDocumentReceiver(
  language: Language,
  folder: string,
  port: number,
  secret: string,
): Promise<DocumentReceiver> {
  const example = await launch(language, folder, port, secret);
  await example.waitFor(language === "php" ? "started" : "listening");
  return {
    url: `http://127.0.0.1:${port}/`,
    waitFor: example.waitFor,
    stop: async () => {
      example.kill();
      await example.ended;
    },
  };
}

/** Starts the language's program with a secret that has no key, and sends it what is signed with the empty key. Returns whether it takes that. */
export async function takesEmptyKey(language: Language, folder: string): Promise<boolean> {
  const port = await freePort();
  const example = await launch(language, join(folder, "empty"), port, "whsec_...");
  const isOver = example.ended.then(() => true);
  try {
    const isListening = example.waitFor(language === "php" ? "started" : "listening").then(() => false);
    if (await Promise.race([isOver, isListening.catch(() => isOver)])) return false;
    const at = `${Math.floor(Date.now() / 1000)}`;
    const signature = createHmac("sha256", "").update(`msg-1.${at}.{}`).digest("base64");
    const signed = { "webhook-id": "msg-1", "webhook-timestamp": at, "webhook-signature": `v1,${signature}` };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}", headers: signed });
    return answer.ok;
  } finally {
    example.kill();
    await example.ended;
  }
}

async function launch(language: Language, folder: string, port: number, secret: string): Promise<Example> {
  const { fence, file, run } = LANGUAGES[language];
  const [code, ...more] = codeBlocks("docs/receivers.md", fence);
  if (code === undefined || more.length > 0) throw new Error(`docs/receivers.md: expected one block of ${fence}`);
  const place = join(folder, language);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, file), code);
  const command = run.map((part) => part.replace("PORT", `${port}`));
  if (language === "go") await built(place, file);
  const started = language === "go" ? [join(place, "receiver")] : [...command, file];
  const env = { PORT: `${port}`, WEBHOOK_SECRET: secret };
  return startExample(started, env, place);
}

async function built(place: string, file: string): Promise<void> {
  const env = { GOTOOLCHAIN: "local", GO111MODULE: "off" };
  const { code, output } = await startExample(["go", "build", "-o", "receiver", file], env, place).ended;
  if (code !== 0) throw new Error(`go build: ${output}`);
}
