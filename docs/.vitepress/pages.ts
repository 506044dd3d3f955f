import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DOCS = join(import.meta.dirname, "..");
const ROOT = join(DOCS, "..");

/** Documents outside of `docs/` that are pages of the site too, by the page's path. */
export const ROOT_PAGES: Readonly<Record<string, string>> = {
  "project/client-typescript.md": "packages/client/README.md",
  "project/client-python.md": "packages/python/README.md",
  "project/client-widget.md": "packages/widget/README.md",
  "project/architecture.md": "ARCHITECTURE.md",
  "project/contributing.md": "CONTRIBUTING.md",
  "project/changelog.md": "CHANGELOG.md",
};

const PAGE_OF_ROOT = new Map(Object.entries(ROOT_PAGES).map(([page, source]) => [source, page]));

/** `docs/README.md` is the start page of the site. */
export const REWRITES = { "README.md": "index.md", "decisions/README.md": "decisions/index.md" };

interface Entry {
  readonly text: string;
  readonly link: string;
}

interface Section {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly Entry[];
}

/** The pages of the site in reading order; a page of `docs/` that no section names comes last, under "More". */
const SECTIONS: readonly (readonly [string, string])[] = [
  ["Start", "README start-manager start-engineer start-operator concepts glossary"],
  ["The program", "program-examples program dashboard people steering liability explain"],
  [
    "Moving in",
    "moving-in moving-in/smile moving-in/loyaltylion moving-in/yotpo moving-in/rivo moving-in/bon moving-in/joy moving-in/stamped moving-in/growave moving-in/easypoints moving-in/pointkeeper",
  ],
  [
    "Integrate",
    "api-guide interface errors webhooks receivers events-feed clients project/client-typescript project/client-python intake-events widget project/client-widget",
  ],
  ["Platforms", "platforms shopify flow woocommerce mapping"],
  [
    "Operate",
    "operations alerts messages reports deploy commands troubleshooting backup upgrade scaling benchmarks citus costs-of-jobs dashboard-speed reliability export-format",
  ],
  ["Security", "security ledger-proofs"],
  ["About", "comparison spec-gaps project/architecture project/contributing project/changelog"],
];

/** The path of the source of a page, relative to the project. */
export function sourceOf(page: string): string {
  const original = Object.entries(REWRITES).find(([, to]) => to === page)?.[0] ?? page;
  return ROOT_PAGES[original] ?? `docs/${original}`;
}

/** The page that shows a file of the project, or undefined for a file that the site does not show. */
export function pageOf(source: string): string | undefined {
  const root = PAGE_OF_ROOT.get(source);
  if (root !== undefined) return root;
  if (!source.startsWith("docs/")) return undefined;
  const page = source.slice("docs/".length).replace(/\/$/, "/README.md");
  if (!page.endsWith(".md") || !existsSync(join(DOCS, page))) return undefined;
  return REWRITES[page as keyof typeof REWRITES] ?? page; // cast: a path that is not rewritten gives undefined
}

/** The first heading of a document, by its path in the project. */
export function titleOf(source: string): string {
  return /^# (.*)$/m.exec(readFileSync(join(ROOT, source), "utf8"))?.[1]?.replaceAll("`", "") ?? source;
}

function entry(page: string): Entry {
  return { text: titleOf(sourceOf(page)), link: `/${page.replace(/(?:README)?\.md$/, "")}` };
}

/** The sidebar: the sections above, and the decisions by number. */
export function sidebar(): Section[] {
  const sections = SECTIONS.map(([text, names]) => ({ text, pages: names.split(" ").map((name) => `${name}.md`) }));
  const listed = new Set(sections.flatMap(({ pages }) => pages));
  const more = readdirSync(DOCS).filter((name) => name.endsWith(".md") && !listed.has(name));
  const decisions = readdirSync(join(DOCS, "decisions")).sort();
  return [
    ...sections.map(({ text, pages }) => ({ text, items: pages.map(entry) })),
    ...(more.length === 0 ? [] : [{ text: "More", items: more.map(entry) }]),
    {
      text: "Decisions",
      collapsed: true,
      items: decisions.filter((name) => /^\d/.test(name)).map((name) => entry(`decisions/${name}`)),
    },
  ];
}
