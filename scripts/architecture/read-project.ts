import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "./docs.ts";
import { parseSource } from "./parse-source.ts";
import type { Source } from "./source.ts";
import type { Migration } from "./tables.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CODE_FOLDERS = ["src", "test", "bench", "demo", "scripts", "dashboard", "packages/client/src"];
const BUILT = "dashboard/dist";

export interface Project {
  readonly root: string;
  readonly sources: readonly Source[];
  readonly migrations: readonly Migration[];
  readonly documents: readonly Document[];
  exists(path: string): boolean;
}

/** Reads every TypeScript file, migration and Markdown file of the project. */
export function readProject(): Project {
  const files = CODE_FOLDERS.flatMap(filesBelow).filter((path) => !path.startsWith(BUILT));
  const rootFiles = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const read = (path: string) => ({ path, text: readFileSync(join(ROOT, path), "utf8") });
  const documents = [...rootFiles, ...files, ...filesBelow("docs")].filter((path) => path.endsWith(".md"));
  return {
    root: ROOT,
    sources: [...files, ...rootFiles]
      .filter((path) => /\.tsx?$/.test(path))
      .map(read)
      .map(({ path, text }) => parseSource(path, text)),
    migrations: filesBelow("migrations").map(read),
    documents: documents.map(read),
    exists: (path) => existsSync(join(ROOT, path)),
  };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}
