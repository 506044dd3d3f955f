import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const INTAKE = join(import.meta.dirname, "../../src/intake");

test("each note that the service writes with a receipt has a text in both languages", () => {
  const sources = globSync("*.ts", { cwd: INTAKE }).filter((file) => !file.endsWith(".test.ts"));
  const notes = sources.flatMap((file) =>
    [...readFileSync(join(INTAKE, file), "utf8").matchAll(/\bnote: "([^"]+)"/g)].map(([, note = ""]) => note),
  );
  const words = readFileSync(join(import.meta.dirname, "receipt-words.ts"), "utf8");
  expect(notes.length).toBeGreaterThan(3);
  expect(notes.filter((note) => words.split(`"${note}":`).length !== 3)).toEqual([]);
});
