import { LEVELS } from "./rules.ts";
import { type Import, isTest, type Source, type Violation } from "./source.ts";

/** Returns the folder or root file of src that contains a path: "ledger", "config"; undefined outside src. */
export function featureOf(path: string): string | undefined {
  return /^src\/([^/.]+)/.exec(path)?.[1];
}

/** ARCHITECTURE.md, Layout: imports go one way; `deps.ts` is imported as types only and may name every feature's types. */
export function importDirection(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => source.path.startsWith("src/"))
    .flatMap((source) => {
      const feature = featureOf(source.path) ?? "";
      const imports = source.imports.filter((i) => i.isRelative);
      const unknown = LEVELS.has(feature)
        ? []
        : [{ line: 1, message: `src/${feature} has no level in scripts/architecture/rules.ts` }];
      const wrong = imports.flatMap((i) => {
        const message = wrongWay(source.path, i);
        return message === undefined ? [] : [{ line: i.line, message }];
      });
      return [...unknown, ...wrong].map((v) => ({ path: source.path, rule: "import-direction", ...v }));
    });
}

function wrongWay(path: string, i: Import): string | undefined {
  const from = featureOf(path) ?? "";
  const to = featureOf(i.target);
  if (to === undefined) {
    const allowed = isTest(path) && /^test\/(support|fixtures)\//.test(i.target);
    return allowed || i.target === "package.json" ? undefined : `src imports nothing outside src (${i.target})`;
  }
  if (from === to) return undefined;
  if (to === "deps") return i.isType || isTest(path) ? undefined : "deps.ts has types only: import type";
  if (from === "deps") return i.isType ? undefined : "deps.ts imports types only";
  const [low, high] = [LEVELS.get(to) ?? 0, LEVELS.get(from) ?? 0];
  return low < high ? undefined : `${from} may not import ${to} (${i.target})`;
}
