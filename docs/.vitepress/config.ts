import { join } from "node:path";
import { defineConfig } from "vitepress";
import { slugOf } from "../../scripts/architecture/docs.ts";
import { siteLinks } from "./links.ts";
import { REWRITES, sidebar } from "./pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

// The documents as a site: npm run docs shows it, npm run docs:build writes it into docs/.vitepress/dist.
export default defineConfig({
  title: "Pointkeeper",
  description: "A self-hosted loyalty points service for a store",
  lang: "en",
  base: process.env["DOCS_BASE"] ?? "/",
  cleanUrls: false, // pages are files of the same name on any web server
  rewrites: REWRITES,
  cacheDir: join(ROOT, "node_modules", ".cache", "vitepress"),
  markdown: {
    html: false, // <uid> in a sentence is text
    attrs: false,
    emoji: false,
    anchor: { slugify: slugOf, level: [1, 2, 3, 4] },
    config: siteLinks,
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    sidebar: sidebar().map(({ items, ...section }) => ({ ...section, items: [...items] })),
    nav: [
      { text: "Manager", link: "/start-manager" },
      { text: "Engineer", link: "/start-engineer" },
      { text: "Operator", link: "/start-operator" },
      { text: "API", link: "/api-guide" },
    ],
  },
});
