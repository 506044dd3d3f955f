import { functionsOf } from "./functions.ts";
import { importsOf } from "./imports.ts";
import { REGISTERS } from "./lists.ts";
import { findInCode, isTest, type Source, type Violation } from "./source.ts";

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 60;
const HANDLER_LINES_MAX = 15;
const KEBAB = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config))?\.tsx?$/;

/** CONTRIBUTING.md, "Rules that a machine holds": a file has 300 lines at most, a function 60, a route handler 15. */
export function sizes(sources: readonly Source[]): Violation[] {
  return sources.flatMap((source) => {
    const lines = source.text.split("\n").length - 1;
    const file =
      lines > FILE_LINES_MAX
        ? [
            {
              path: source.path,
              line: FILE_LINES_MAX,
              rule: "file-length",
              message: `${lines} lines, at most ${FILE_LINES_MAX}`,
            },
          ]
        : [];
    const functions = functionsOf(source).flatMap(({ line, lines, head }) => {
      const isHandler = source.path.endsWith("/routes.ts") && /\((?:request|req|_request)\b/.test(head);
      const max = isHandler ? HANDLER_LINES_MAX : FUNCTION_LINES_MAX;
      const isGroup = isTest(source.path) && /\bdescribe(?:\.\w+)?\(/.test(head);
      if (lines <= max || isGroup) return [];
      return [{ path: source.path, line, rule: "function-length", message: `${lines} lines, at most ${max}` }];
    });
    return [...file, ...functions];
  });
}

/** Kebab-case files, no default exports, no barrels, nothing that type stripping cannot erase, classes for errors only. */
export function style(sources: readonly Source[]): Violation[] {
  return sources.flatMap((source) => [
    ...(KEBAB.test(source.path)
      ? []
      : [{ path: source.path, line: 1, rule: "file-name", message: "file names are kebab-case" }]),
    ...(source.path.endsWith(".config.ts")
      ? []
      : findInCode(source, /\bexport default\b|\bas default\b/g, "default-export", "no default exports")),
    ...findInCode(source, /\bexport\s*(?:type\s*)?(?:\*|\{[^}]*\}\s*from)/g, "barrel", "import from the module itself"),
    ...findInCode(
      source,
      /^\s*(?:export )?(?:declare )?(?:const )?(?:enum|namespace) \w+/gm,
      "erasable",
      "types must be erasable",
    ),
    ...findInCode(source, /^\s*@\w+(?:\(|\s)/gm, "decorator", "no decorators"),
    ...(source.path.startsWith("src/")
      ? findInCode(
          source,
          /\bclass \w+(?! extends \w*Error\b)\b(?! extends)/g,
          "class",
          "functions and data rather than classes",
        )
      : []),
    ...indexFiles(source),
    ...environment(source),
    ...(source.path.startsWith("test/") || isTest(source.path) ? testManners(source) : []),
    ...importsOf(source)
      .filter((i) => i.isRelative && !/\.(?:tsx?|json|css)$/.test(i.target))
      .map((i) => ({
        path: source.path,
        line: i.line,
        rule: "import-ending",
        message: `${i.target} lacks its ending`,
      })),
  ]);
}

function indexFiles(source: Source): Violation[] {
  if (!/(?:^|\/)index\.ts$/.test(source.path) || REGISTERS.some((r) => r.list === source.path)) return [];
  return [{ path: source.path, line: 1, rule: "barrel", message: "index.ts is for the lists of CONTRIBUTING.md only" }];
}

function environment(source: Source): Violation[] {
  if (!source.path.startsWith("src/") || source.path === "src/config.ts") return [];
  return findInCode(
    source,
    /\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/g,
    "environment",
    "config.ts alone reads the environment",
  );
}

/** No mocks, no skipped tests, no sleeps. */
function testManners(source: Source): Violation[] {
  const find = (pattern: RegExp, message: string) => findInCode(source, pattern, "test-manners", message);
  return [
    ...find(/\bvi\.(?:mock|fn|spyOn|stub\w+|useFakeTimers|setSystemTime|hoisted)\b/g, "no mocks"),
    ...find(/\b(?:test|it|describe)\.(?:skip|only|todo|fails|skipIf|runIf)\b|\bcontext\.skip\b/g, "no test is skipped"),
    ...(isTest(source.path) ? find(/\bsetTimeout\s*\(|\bsleep\s*\(/g, "no sleeps: wait for the thing itself") : []),
  ];
}
