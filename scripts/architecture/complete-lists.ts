import { kindOf } from "./nouns.ts";
import { COMPLETE_LISTS } from "./rules.ts";
import { isTest, type Source, type Violation } from "./source.ts";

/**
 * CONTRIBUTING.md, "Rules that the checks enforce": every list entry has its file and every file its entry; app.ts names every feature's routes,
 * admin-routes.ts those of the dashboard.
 */
export function completeLists(sources: readonly Source[]): Violation[] {
  const named = COMPLETE_LISTS.flatMap(({ list, folder, entries }) => {
    const inside = sources
      .map((s) => s.path)
      .filter((path) => path.startsWith(`${folder}/`) && path !== list && !isTest(path));
    const entry = (path: string) => path.slice(folder.length + 1).split("/")[0] ?? "";
    const isEntry = (path: string) => (entries === "files") === entry(path).endsWith(".ts");
    return missing(sources, list, new Set(inside.filter(isEntry).map((path) => `${folder}/${entry(path)}`)));
  });
  const routes = sources.map((s) => s.path).filter((path) => /^src\/\w[\w-]*\/(?:.*\/)?routes\.ts$/.test(path));
  const isAdmin = (path: string) => path.startsWith("src/admin/");
  const ofAdmin = new Set(routes.filter(isAdmin));
  const ofApp = new Set(routes.filter((path) => !isAdmin(path)));
  return [
    ...named,
    ...missing(sources, "src/admin/admin-routes.ts", ofAdmin),
    ...missing(sources, "src/app.ts", ofApp),
    ...jobs(sources),
  ];
}

function missing(sources: readonly Source[], list: string, wanted: ReadonlySet<string>): Violation[] {
  const source = sources.find((s) => s.path === list);
  if (source === undefined && wanted.size === 0) return [];
  const imported =
    source === undefined ? [] : source.imports.filter((i) => i.isRelative && !i.isType).map((i) => i.target);
  return [...wanted]
    .filter((entry) => !imported.some((target) => target === entry || target.startsWith(`${entry}/`)))
    .map((entry) => ({ path: list, line: 1, rule: "incomplete-list", message: `${entry} is missing in this list` }));
}

/** The list of jobs imports only verbs of features. */
function jobs(sources: readonly Source[]): Violation[] {
  const list = "src/jobs/schedule.ts";
  const source = sources.find((s) => s.path === list);
  if (source === undefined) return [];
  const found = source.imports.filter((i) => i.isRelative && !i.isType && !i.target.startsWith("src/jobs/"));
  return found.flatMap((i) => {
    const target = sources.find((s) => s.path === i.target);
    if (target !== undefined && kindOf(target) === "verb") return [];
    return [
      {
        path: list,
        line: i.line,
        rule: "incomplete-list",
        message: `a job is a verb of its feature, ${i.target} is none`,
      },
    ];
  });
}
