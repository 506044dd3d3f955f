import { findInCode, type Import, isTest, type Source, type Violation } from "./source.ts";

const RULE = "dashboard-import";
/** The files that list pages: the router, and the shell for pages before it. */
const PAGE_LISTS = ["dashboard/router.tsx", "dashboard/shell/root.tsx"];

/** What each folder of the dashboard may import from others; a page may also import from its own folder. */
const MAY_LOAD: Readonly<Record<string, RegExp>> = {
  words: /^dashboard\/words\//,
  api: /^dashboard\/api\//,
  ui: /^dashboard\/(?:ui|api|words)\//,
  pages: /^dashboard\/(?:ui|api|words)\//,
};
const PACKAGES: Readonly<Record<string, RegExp>> = {
  words: /^react$/,
  api: /^(?:react|@tanstack\/react-query|@simplewebauthn\/browser)$/,
  ui: /^(?:react|@mantine\/[\w/.-]+|@tanstack\/react-(?:query|router)|dayjs(?:\/.*)?)$/,
  pages: /^(?:react|@mantine\/[\w/.-]+|@tanstack\/react-(?:query|router)|dayjs(?:\/.*)?|uqr)$/,
};
/** Types of requests and responses, and modules without code for the browser. */
const TYPES_OF_SERVICE = /^src\/(?:.*[/-]schema|staff\/permissions)\.ts$/;

/** Constants and types without imports for both sides, which the browser may load. */
const WIRE = /^src\/wire\/[\w-]+\.ts$/;

/** The dashboard imports only types and `src/wire` from the service, and the service imports nothing from the dashboard. */
export function dashboardImports(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap((source) =>
      source.imports.flatMap((i) => {
        const message = source.path.startsWith("dashboard/") ? fromInside(source.path, i) : fromOutside(i);
        return message === undefined ? [] : [{ path: source.path, line: i.line, rule: RULE, message }];
      }),
    );
}

function fromOutside(i: Import): string | undefined {
  return i.isRelative && i.target.startsWith("dashboard/") ? `only the dashboard imports ${i.target}` : undefined;
}

function fromInside(path: string, i: Import): string | undefined {
  if (i.isRelative && !i.target.startsWith("dashboard/")) {
    if (WIRE.test(i.target)) return undefined;
    if (!i.isType) return `${i.target} would be loaded by a browser: types and src/wire alone`;
    return TYPES_OF_SERVICE.test(i.target) ? undefined : `${i.target} says no shape of the wire: a schema.ts does`;
  }
  const [, folder = "", page] = /^dashboard\/(\w+)\/(?:([\w-]+)\/)?/.exec(path) ?? [];
  if (!i.isRelative) {
    const packages = PACKAGES[folder];
    return packages === undefined || packages.test(i.target) ? undefined : `${folder} may not use ${i.target}`;
  }
  const isOwn = folder === "pages" && i.target.startsWith(`dashboard/pages/${page}/`);
  const mayLoad = MAY_LOAD[folder];
  return mayLoad === undefined || isOwn || mayLoad.test(i.target) ? undefined : `${folder} may not import ${i.target}`;
}

/** One module formats numbers, money and times, so that each has the same form on every screen. */
const FORMATTERS = /\bIntl\.(?!supportedValuesOf\b)|\.toLocale(?:Date|Time)?String\(/g;
const FORMAT = "dashboard/ui/values/format.ts";

export function dashboardFormats(sources: readonly Source[]): Violation[] {
  return sources
    .filter(({ path }) => path.startsWith("dashboard/") && path !== FORMAT && !isTest(path))
    .flatMap((source) => findInCode(source, FORMATTERS, "dashboard-format", `${FORMAT} formats what a page shows`));
}

/** Every page is listed in the router, so that none is unreachable and none is in the first load. */
export function dashboardPages(sources: readonly Source[]): Violation[] {
  const lists = sources.filter((source) => PAGE_LISTS.includes(source.path));
  const named = new Set(lists.flatMap((source) => source.imports).map((i) => i.target));
  return sources
    .filter(({ path }) => /^dashboard\/pages\/[\w-]+\/page\.tsx$/.test(path) && !named.has(path))
    .map(({ path }) => ({ path, line: 1, rule: "incomplete-list", message: `no line in ${PAGE_LISTS.join(" or ")}` }));
}
