import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LEVELS } from "../scripts/architecture/rules.ts";

test("ARCHITECTURE.md lists every folder of src once, in the order in which they may import", () => {
  const architecture = readFileSync("ARCHITECTURE.md", "utf8");
  const layout = architecture.slice(architecture.indexOf("\nsrc/"), architecture.indexOf("\ndashboard/"));
  const names = layout.split("\n").flatMap((line) => {
    const heads = /^ {2}((?:[\w-]+(?:\/|\.ts) +)+)/.exec(line)?.[1] ?? "";
    return heads.split(/(?:\/|\.ts) +/).filter((name) => name !== "");
  });
  const levels = names.map((name) => LEVELS.get(name) ?? Number.NaN);
  expect(levels).toEqual(levels.toSorted((a, b) => b - a));
  const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(names).toEqual(expect.arrayContaining(folders.map(({ name }) => name)));
  expect(names).toHaveLength(new Set(names).size);
});

test("docs/decisions/README.md lists each decision once, with its title", () => {
  const listed = [...readFileSync("docs/decisions/README.md", "utf8").matchAll(/^- (\d+) \[(.*)\]\((.*)\)$/gm)];
  const decisions = readdirSync("docs/decisions").filter((file) => /^\d/.test(file));
  const titles = decisions.map((file) => {
    const [, number, title] = /^# (\d+)\. (.*)/.exec(readFileSync(`docs/decisions/${file}`, "utf8")) ?? [];
    return [number, title, file];
  });
  expect(listed.map(([, ...line]) => line).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual(titles);
});
