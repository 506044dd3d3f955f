import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const DASHBOARD = join(import.meta.dirname, "dashboard");
/** A line of the list of pages: `page("/customers", () => import("./pages/customers/page.tsx"), "CustomersPage")`. */
const PAGE = /page\("([^"]+)", \(\) => import\("([^"]+)"\)/g;

/** Writes pages.json: the files of each page beyond those of every page, so that the service can name them in the page's head. */
function pageFiles(): Plugin {
  return {
    name: "page-files",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
      const filesOf = (chunk: Rolldown.OutputChunk, seen: Set<string>): Set<string> => {
        if (seen.has(chunk.fileName)) return seen;
        for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) seen.add(file);
        for (const one of chunks) if (chunk.imports.includes(one.fileName)) filesOf(one, seen);
        return seen;
      };
      const entry = chunks.find((chunk) => chunk.isEntry);
      if (entry === undefined) return;
      const ofAll = filesOf(entry, new Set());
      const listed = readFileSync(join(DASHBOARD, "router.tsx"), "utf8").matchAll(PAGE);
      const pages = [...listed].map(([, path = "", source = ""]) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(DASHBOARD, source));
        const files = chunk === undefined ? [] : [...filesOf(chunk, new Set())];
        return { path, files: files.filter((file) => !ofAll.has(file)) };
      });
      this.emitFile({ type: "asset", fileName: "pages.json", source: `${JSON.stringify(pages)}\n` });
    },
  };
}

/** What nearly every page shows is one file, not thirty; panels and dialogs, which bring more with them, stay apart. */
const KIT =
  /dashboard\/(?:words\/(?!glossary|program-example|filter-names)|api|ui\/(?!(?:[\w-]+\/)?(?:side-panel|form-dialog|use-discard-question|page-form|confirm-dialog|secret-once|entrance|form-fault|password-field|help|chart|list-menus|saved-views|export-button|view-|bulk-|selection-|request-fault)))|@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput|NativeSelect|Button|Group|Loader|CloseButton|ActionIcon)\//;

// The dashboard alone: the server needs no build, and Vitest has its own vitest.config.ts.
export default defineConfig({
  root: DASHBOARD,
  base: "./", // the server puts the path of its public address before what the page names
  publicDir: false,
  plugins: [react(), pageFiles()],
  build: {
    outDir: join(import.meta.dirname, "dashboard", "dist"),
    emptyOutDir: true,
    assetsDir: "assets",
    assetsInlineLimit: 0, // a data: address would need more than 'self' in the page's policy
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    license: { fileName: "licenses.md" }, // the texts that the licences of what is bundled ask to be kept with it
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "kit", test: KIT }] } } },
  },
});
