import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/** A fenced block of a document. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

/** A text in backquotes. */
export interface Span {
  readonly page: string;
  readonly code: string;
}

/** The documents whose commands and requests are tested: those of the root, all pages of `docs/`, and the READMEs of the packages. */
export function documentPages(): string[] {
  const folders = ["docs", "docs/decisions"];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  const packages = ["client", "python", "widget"].map((name) => `packages/${name}/README.md`);
  return ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", ...inFolders, ...packages];
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```/gm)].map(([, indent = "", language = "", code = ""]) => ({
    page,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** The texts of a page in backquotes, outside of its blocks. */
export function spansOf(page: string): Span[] {
  const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => ({ page, code: code.replaceAll(/\s+/g, " ") }));
}

/** The blocks of a page that are shell commands. */
export function shellBlocks(page: string): Block[] {
  return blocksOf(page).filter(({ language }) => ["sh", "bash", "console", "shell"].includes(language));
}
