import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const [file, name] of [
    ["0014_customer_search.sql", "search_fold"],
    ["0050_search_accents.sql", "search_plain"],
  ] as const) {
    const sql = await readFile(join(import.meta.dirname, "../../migrations", file), "utf8");
    const [definition = ""] = new RegExp(`create function ${name}[^;]*;`).exec(sql) ?? [];
    await database.owner.execute(definition.replace(`function ${name}`, `function first_${name}`));
  }
});
afterAll(() => database.drop());

const character = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1 }),
  fc.constantFrom(..."İIıßæœþøđðłħŧŋÅåÅéÖöŠžÑñ"),
  fc.constantFrom(..."ァアヴヶヷヺーｱｶﾞﾊﾟあゔゖ山田　・"),
  fc.integer({ min: 0x300, max: 0x36f }).map((code) => String.fromCodePoint(code)),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 2 })
    .filter((text) => !text.includes("\0") && text.isWellFormed()),
);
const texts = fc.array(
  fc.array(character, { maxLength: 12 }).map((characters) => characters.join("")),
  { minLength: 50, maxLength: 200 },
);

// The indexes of customers hold what the first functions returned.
const DIFFERING = `select k.value
from unnest($1::text[]) k (value)
where search_fold(k.value) is distinct from first_search_fold(k.value)
  or search_plain(k.value) is distinct from first_search_plain(k.value)
  or search_plain(search_fold(k.value)) is distinct from first_search_plain(first_search_fold(k.value))`;

test("the functions of the search return what the first ones did, for every text", async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      expect(await database.owner.query(DIFFERING, [values])).toEqual([]);
    }),
  );
});
