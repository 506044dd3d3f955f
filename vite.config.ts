import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** What nearly every page shows is one file, not thirty; panels and dialogs, which bring more with them, stay apart. */
const KIT =
  /dashboard\/(?:words\/(?!glossary|program-example)|api|ui\/(?!side-panel|confirm-dialog|secret-once|entrance|form-fault|password-field|help|chart|list-menus|saved-views|export-button|view-))|@mantine\/core\/esm\/components\/(?:Input|InputBase|TextInput|NativeSelect|Button|Group|Loader|CloseButton|ActionIcon)\//;

// The dashboard alone: the server needs no build, and Vitest has its own vitest.config.ts.
export default defineConfig({
  root: join(import.meta.dirname, "dashboard"),
  base: "./", // the server puts the path of its public address before what the page names
  publicDir: false,
  plugins: [react()],
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
