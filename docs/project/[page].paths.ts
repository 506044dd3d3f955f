import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_PAGES } from "../.vitepress/pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

// Documents outside of docs/ as pages of the site: one route for each.
export default {
  watch: Object.values(ROOT_PAGES).map((source) => join("..", "..", source)),
  paths: () =>
    Object.entries(ROOT_PAGES).map(([page, source]) => ({
      params: { page: page.replace(/^project\/|\.md$/g, "") },
      content: readFileSync(join(ROOT, source), "utf8"),
    })),
};
