import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deadLinks, type Page } from "./docs-site/dead-links.ts";

// Builds the documents as a site into docs/.vitepress/dist, and exits with 1 if a link in the built pages is broken.
const ROOT = join(import.meta.dirname, "..");
const SITE = join(ROOT, "docs", ".vitepress", "dist");
const BASE = process.env.DOCS_BASE ?? "/";

/** Runs VitePress in a separate process, because it prints its progress and leaves workers running. */
function build(): Promise<string> {
  const cli = join(ROOT, "node_modules", "vitepress", "bin", "vitepress.js");
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, "build", "docs"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece: Buffer) => {
        output += piece.toString();
      });
    }
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? "" : output.trim() || `exit code ${code}`));
  });
}

function builtPages(): Page[] {
  return readdirSync(SITE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html"))
    .map((path) => ({ path: path.replaceAll("\\", "/"), html: readFileSync(join(SITE, path), "utf8") }));
}

const fault = await build();
const faults = fault === "" ? [] : [fault];
if (fault === "") {
  const pages = builtPages();
  faults.push(...deadLinks(pages, BASE, (path) => existsSync(join(SITE, path))));
  if (faults.length === 0) console.log(`${pages.length} pages in ${join("docs", ".vitepress", "dist")}`);
}
for (const line of faults) console.error(line);
process.exitCode = faults.length === 0 ? 0 : 1;
