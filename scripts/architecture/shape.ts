import { COMPLETE_LISTS } from "./rules.ts";
import { findInCode, isTest, type Source, type Violation } from "./source.ts";

const HANDLER_LINES_MAX = 15;
const TEST_LINES_MAX = 60;

/**
 * CONTRIBUTING.md, "Rules that the checks enforce": a route handler has at most 15 lines, a test 60 (a `describe` any number). Biome checks the
 * length of other functions and of files.
 */
export function sizes(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ path, functions }) =>
    functions.flatMap(({ line, lines, head }) => {
      const isHandler = path.endsWith("/routes.ts") && /\((?:request|req|_request)\b/.test(head);
      const isOneTest = isTest(path) && !/\bdescribe(?:\.\w+)?\(/.test(head);
      const max = isHandler ? HANDLER_LINES_MAX : isOneTest ? TEST_LINES_MAX : Number.POSITIVE_INFINITY;
      return lines <= max ? [] : [{ path, line, rule: "function-length", message: `${lines} lines, at most ${max}` }];
    }),
  );
}

/** Kebab-case folders, classes for errors only, no decorators, files found from one depth only, `index.ts` for lists only, tests without mocks. */
export function style(sources: readonly Source[]): Violation[] {
  return sources.flatMap((source) => [
    ...(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[^/]*$/.test(source.path)
      ? []
      : [{ path: source.path, line: 1, rule: "folder-name", message: "folder names are kebab-case" }]),
    ...findInCode(source, /^\s*@\w+(?:\(|\s)/gm, "decorator", "no decorators"),
    ...(source.path.startsWith("src/")
      ? findInCode(
          source,
          /\bclass \w+(?! extends \w*Error\b)\b(?! extends)/g,
          "class",
          "functions and data rather than classes",
        )
      : []),
    ...ownPlace(source),
    ...indexFiles(source),
    ...(source.path.startsWith("test/") || isTest(source.path) ? testManners(source) : []),
  ]);
}

/** A build puts all code into one folder, at the depth of a folder of `src`: paths from any other depth are wrong in it. */
function ownPlace(source: Source): Violation[] {
  if (!source.path.startsWith("src/") || isTest(source.path) || /^src\/[^/]+\/[^/]+$/.test(source.path)) return [];
  const message = "paths from a module's own place begin in a folder of src, as in its build";
  return findInCode(source, /\bimport\.meta\.(?:dirname|filename|url|resolve)\b/g, "own-place", message);
}

function indexFiles(source: Source): Violation[] {
  if (source.path.startsWith("packages/")) return []; // the exports of a package are in one file
  if (!/(?:^|\/)index\.ts$/.test(source.path) || COMPLETE_LISTS.some((r) => r.list === source.path)) return [];
  return [{ path: source.path, line: 1, rule: "barrel", message: "index.ts is for the lists of CONTRIBUTING.md only" }];
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
