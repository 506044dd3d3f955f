import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedStore, loadStoreLines, readStoreShape } from "../../src/backup/load-store-lines.ts";
import { type ReadStoreFile, readStoreLines } from "../../src/backup/read-store-lines.ts";
import { writeStoreLines } from "../../src/backup/write-store-lines.ts";
import type { SecretBox } from "../../src/credentials/secret-box.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { makeRichStore } from "./rich-store.ts";
import { startTestService, type TestService } from "./service.ts";
import { makeFolder } from "./service-process.ts";

const NOW = "2026-03-01T00:00:00Z";

/** A store with a day's data, and its files with and without its secrets. */
export interface WrittenStore {
  readonly source: TestService;
  /** The path of a file beside the two. */
  place(name: string): string;
  remove(): Promise<void>;
}

export async function writeRichStore(): Promise<WrittenStore> {
  const folder = await makeFolder();
  const source = await startTestService({ worker: false, now: NOW });
  await makeRichStore(source);
  const place = (name: string) => join(folder.path, name);
  for (const withSecrets of [false, true]) {
    const { pieces } = writeStoreLines(source.deps, { withSecrets });
    await writeFile(place(withSecrets ? "secrets.jsonl" : "plain.jsonl"), pieces);
  }
  return {
    source,
    place,
    async remove() {
      await source.stop();
      await folder.remove();
    },
  };
}

/** A new store into which files are loaded. */
export interface NewStore {
  readonly service: TestService;
  readonly database: TestDatabase;
  /** Reads a file to its end and checks it. */
  check(path: string): Promise<ReadStoreFile>;
  /** Loads a checked file; without `checked` it is checked first. */
  load(path: string, more?: { checked?: ReadStoreFile; secretBox?: SecretBox }): Promise<LoadedStore>;
  stop(): Promise<void>;
}

export async function startNewStore(): Promise<NewStore> {
  const database = await createTestDatabase();
  const service = await startTestService({ worker: false, database, now: NOW });
  async function check(path: string): Promise<ReadStoreFile> {
    const lines = readStoreLines({ path, ...(await readStoreShape(database.owner)) });
    for (;;) {
      const { done, value } = await lines.next();
      if (done === true) return value;
    }
  }
  return {
    service,
    database,
    check,
    async load(path, { checked, secretBox = service.deps.secretBox } = {}) {
      const deps = { ...service.deps, secretBox, db: database.owner };
      return loadStoreLines(deps, { path, checked: checked ?? (await check(path)) });
    },
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

export const isOf = (type: string) => (line: string) => line.startsWith(`{"type":"${type}"`);

/** Writes a copy of a file with changed lines, and a matching last line. */
export async function forge(from: string, to: string, change: (lines: string[]) => void): Promise<void> {
  const lines = (await readFile(from, "utf8")).trimEnd().split("\n").slice(0, -1);
  change(lines);
  const counts: Record<string, number> = {};
  for (const line of lines.slice(1)) {
    const { type } = JSON.parse(line);
    counts[type] = (counts[type] ?? 0) + 1;
  }
  const text = `${lines.join("\n")}\n`;
  const sha256 = createHash("sha256").update(text).digest("hex");
  await writeFile(to, `${text}${JSON.stringify({ type: "end", data: { lines: counts, sha256 } })}\n`);
}

/** Changes the data of the first line of a type that contains a text. */
export function edit(
  lines: string[],
  type: string,
  change: (data: Record<string, unknown>) => void,
  having = "",
): void {
  const at = lines.findIndex((line) => isOf(type)(line) && line.includes(having));
  const line = JSON.parse(lines[at] ?? "");
  change(line.data);
  lines[at] = JSON.stringify(line);
}
