import fc from "fast-check";
import { expect, test } from "vitest";
import { IMPORT_FIELD_NAMES, IMPORT_FIELDS, IMPORT_KINDS, type ImportKind } from "../../wire/import-fields.ts";
import { columnsByPosition, recogniseColumns, refuseColumns } from "./columns.ts";

test("the names that are shown are recognised, in any order, case and spacing, among others", () => {
  const kind = fc.constantFrom(...IMPORT_KINDS);
  const language = fc.constantFrom("en", "ja");
  const write = fc.constantFrom<(name: string) => string>(
    (name) => name,
    (name) => ` ${name.toUpperCase()} `,
    (name) => name.replaceAll(" ", "_"),
    (name) => name.normalize("NFKD"),
  );
  fc.assert(
    fc.property(kind, language, write, fc.nat(), (of, words, style, turn) => {
      const fields = IMPORT_FIELDS[of];
      const turned = fields.map((_, n) => fields[(n + turn) % fields.length] ?? "customer");
      const row = turned.flatMap((field) => [style(IMPORT_FIELD_NAMES[words][field]), "something else"]);
      const columns = recogniseColumns(of, row);
      expect(columns).toEqual(Object.fromEntries(turned.map((field, n) => [field, 2 * n])));
      expect(refuseColumns(of, columns ?? {})).toEqual([]);
    }),
  );
});

test("a first row of values is no header; a name that comes twice counts once", () => {
  expect(recogniseColumns("points", ["a@b.example", "100", "yes"])).toBeNull();
  expect(recogniseColumns("points", ["id", "email", "points"])).toEqual({ customer: 0, points: 2 });
  expect(columnsByPosition("tiers", 2)).toEqual({ customer: 0, tier: 1 });
  const shopify = ["Customer ID", "First Name", "Email", "Accepts Email Marketing", "Birthday"];
  expect(recogniseColumns("customers", shopify)).toEqual({ id: 0, email: 2, accepts_marketing: 3, birthday: 4 });
});

test("who is named by an address is not looked for by an id of the other app", () => {
  for (const kind of ["history", "spend"] as const) {
    expect(recogniseColumns(kind, ["ID", "Customer Email", "Date"])).toEqual({ customer: 1, happened_at: 2 });
    expect(recogniseColumns(kind, ["id", "customer_id", "Date"])).toEqual({ customer: 1, happened_at: 2 });
    expect(recogniseColumns(kind, ["id", "Date"])).toEqual({ customer: 0, happened_at: 1 });
  }
});

test("a mapping must have what makes a row mean something, each column once", () => {
  const faultyFields = (kind: ImportKind, columns: object) => refuseColumns(kind, columns).map(({ field }) => field);
  expect(faultyFields("points", {})).toEqual(["customer"]);
  expect(faultyFields("points", { customer: 0 })).toEqual(["points"]);
  expect(faultyFields("points", { customer: 0, points: 0 })).toEqual(["points"]);
  expect(faultyFields("tiers", { customer: 1 })).toEqual(["tier"]);
  expect(faultyFields("tiers", { customer: 1, skip_next_check: 0 })).toEqual([]);
  expect(faultyFields("tiers", { customer: 1, tier: 0, points: 2 })).toEqual(["points"]);
  expect(faultyFields("customers", { email: 0 })).toEqual(["id"]);
  expect(faultyFields("customers", { id: 0 })).toEqual([]);
  expect(faultyFields("customers", { id: 0, customer: 1 })).toEqual(["customer"]);
});
