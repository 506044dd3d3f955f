import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Each is one file that breaks the rule of Biome named, as biome.json sets it. */
const PLANTED_FOR_BIOME: readonly (readonly [rule: string, path: string, text: string])[] = [
  ["suspicious/noImportCycles", "src/tiers/cycle.ts", 'import { b } from "./other.ts";\nexport const a = () => b;\n'],
  [
    "style/noRestrictedImports",
    "test/support/ledger-model.ts",
    'import { a } from "../../src/ledger/lots.ts";\na();\n',
  ],
  ["style/noExcessiveLinesPerFile", "src/tiers/long.ts", "export const a = 1;\n".repeat(301)],
  [
    "complexity/noExcessiveLinesPerFunction",
    "src/tiers/long-function.ts",
    `export function a(b: { c: string }): { d: string } | null {\n${"  a(a);\n".repeat(61)}}\n`,
  ],
  [
    "complexity/noExcessiveCognitiveComplexity",
    "src/tiers/complex.ts",
    `export function a(b: number) {\n${"for (;;) {\n".repeat(6)}${"}\n".repeat(6)}}\n`,
  ],
  ["style/useFilenamingConvention", "src/tiers/camelCase.ts", "export const a = 1;\n"],
  ["style/noDefaultExport", "src/tiers/default.ts", "export default 1;\n"],
  ["performance/noReExportAll", "src/tiers/all.ts", 'export * from "./other.ts";\n'],
  ["performance/noBarrelFile", "src/tiers/barrel.ts", 'export { b } from "./other.ts";\n'],
  ["style/noEnum", "src/tiers/enum.ts", "export enum A { B }\n"],
  ["style/noProcessEnv", "src/cli.ts", "export const port = process.env.PORT;\n"],
  ["correctness/useImportExtensions", "src/tiers/ending.ts", 'import { b } from "./other";\nb();\n'],
];

test("Biome sees each fault that it is told to see", () => {
  const root = mkdtempSync(join(tmpdir(), "pointkeeper-biome-"));
  const config: object = JSON.parse(readFileSync("biome.json", "utf8"));
  const other = ["", "src/tiers/other.ts", 'import { a } from "./cycle.ts";\nexport const b = () => a;\n'] as const;
  const files = [
    ["", "package.json", "{}"],
    ["", "src/ledger/lots.ts", "export const a = () => 1;\n"],
    ["", "biome.json", JSON.stringify({ ...config, vcs: { enabled: false } })],
    other,
    ...PLANTED_FOR_BIOME,
  ] as const;
  for (const [, path, text] of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const biome = join(import.meta.dirname, "../node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=github", "--max-diagnostics=200", "."];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  rmSync(root, { recursive: true });
  const unseen = PLANTED_FOR_BIOME.filter(
    ([rule, path]) => !stdout.split("\n").some((line) => line.includes(`title=lint/${rule},`) && line.includes(path)),
  );
  expect(unseen.map(([rule]) => rule)).toEqual([]);
});
