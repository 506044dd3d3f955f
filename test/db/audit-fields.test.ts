import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actionText, subjectText } from "../../dashboard/pages/audit/action-words.ts";
import { auditFieldNames } from "../../dashboard/pages/audit/field-words.ts";
import { auditFilterNames } from "../../dashboard/pages/audit/filter-words.ts";
import { auditListNames } from "../../dashboard/pages/audit/list-names.ts";
import { filterNames } from "../../dashboard/words/filter-names.ts";
import { requestsQuery } from "../../src/admin/approvals/schema.ts";
import { customersQuery } from "../../src/admin/customers/schema.ts";
import { movesQuery, staysQuery } from "../../src/admin/growth/schema.ts";
import { receiptQuery } from "../../src/admin/intake/schema.ts";
import { ledgerQuery } from "../../src/admin/ledger/schema.ts";
import { mailQuery } from "../../src/admin/messages/schema.ts";
import { ordersQuery } from "../../src/admin/orders/schema.ts";
import { listedBenefitsQuery, resultsQuery } from "../../src/admin/results/schema.ts";
import { deliveryQuery } from "../../src/admin/webhooks/schema.ts";
import { ACTIVITIES, type SegmentFilter } from "../../src/segments/segment-filter.ts";
import { VIEW_FILTERS, VIEW_LISTS } from "../../src/wire/saved-views.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// The arguments of the trigger `audit_settings`: kind, key, secrets, and columns that it does not record.
const RECORDED = `select a.attname as name
from pg_trigger t
join pg_proc p on p.oid = t.tgfoid and p.proname = 'audit_settings'
join pg_attribute a on a.attrelid = t.tgrelid and a.attnum > 0 and not a.attisdropped
where a.attname <> all (string_to_array(split_part(encode(t.tgargs, 'escape'), '\\000', 4), ','))
  and a.attname <> 'only_one'
group by a.attname`;

test("every column that the audit log records of settings has a name on its page, in both languages", async () => {
  const columns = (await database.db.query<{ name: string }>(RECORDED, [])).map(({ name }) => name);
  expect(columns.length).toBeGreaterThan(30);
  for (const names of [auditFieldNames.en, auditFieldNames.ja])
    expect(columns.filter((column) => !Object.hasOwn(names, column))).toEqual([]);
});

const KINDS = `select distinct split_part(encode(t.tgargs, 'escape'), '\\000', 1) as kind
from pg_trigger t
join pg_proc p on p.oid = t.tgfoid and p.proname = 'audit_settings'`;

test("so has every kind of settings, and what is done with it", async () => {
  const kinds = (await database.db.query<{ kind: string }>(KINDS, [])).map(({ kind }) => kind);
  expect(kinds).toContain("alert_settings");
  expect(kinds.filter((kind) => subjectText(kind, "ja") === kind)).toEqual([]);
  const isNamed = (action: string) => actionText(action, "ja") !== action;
  expect(kinds.filter((kind) => !isNamed(`${kind}.created`) && !isNamed(`${kind}.changed`))).toEqual([]);
});

/** Every condition, or this does not compile. */
const CONDITIONS: Required<Record<keyof SegmentFilter, true>> = {
  ...{ spendMin: true, spendMax: true, ordersMin: true, ordersMax: true, orderedWithinDays: true },
  ...{ notOrderedForDays: true, activity: true, activeWithinDays: true, pointsMin: true, pointsMax: true },
  ...{ expiringWithinMonths: true, tiers: true, tags: true, withoutTags: true, birthdayMonth: true },
  ...{ acceptsMarketing: true, language: true, joinedWithinDays: true, joinedMonth: true },
  ...{ firstOrderedMonth: true, lapsedMonth: true },
};

test("so has every condition of a segment, and every filter of a saved view", () => {
  const filters = Object.values<readonly string[]>(VIEW_FILTERS).flat();
  for (const language of ["en", "ja"] as const) {
    const names = { ...auditFilterNames[language], ...auditFieldNames[language] };
    const isUnnamed = (name: string) => !Object.hasOwn(names, name);
    expect([...Object.keys(CONDITIONS), ...filters, "start_date", "end_date"].filter(isUnnamed)).toEqual([]);
  }
});

const FILES = join(import.meta.dirname, "../../src/admin/list-files");

test("so has every list that has views or a file", () => {
  const routes = ["routes.ts", "steering-routes.ts"].map((name) => readFileSync(join(FILES, name), "utf8")).join("\n");
  const files = [...routes.matchAll(/^ {4}path: "\/(.+)",$/gm)].map(([, path = ""]) => path.replaceAll("/", "-"));
  expect(files).toContain("webhooks-deliveries");
  for (const names of [auditListNames.en, auditListNames.ja])
    expect([...VIEW_LISTS, ...files].filter((list) => !Object.hasOwn(names, list))).toEqual([]);
});

/** The lists that have a filter with fixed values, by the name of their file. */
const QUERIES = {
  approvals: requestsQuery,
  customers: customersQuery,
  "growth-moves": movesQuery,
  "growth-stays": staysQuery,
  "intake-receipts": receiptQuery,
  ledger: ledgerQuery,
  mails: mailQuery,
  orders: ordersQuery,
  results: resultsQuery,
  "results-benefits-list": listedBenefitsQuery,
  "webhooks-deliveries": deliveryQuery,
};

test("so has every fixed value of a filter of a list or a segment; topics have names on all pages", () => {
  const ofQueries = Object.entries(QUERIES)
    .flatMap(([list, { properties }]) =>
      Object.entries(properties).flatMap(([filter, schema]) =>
        ("enum" in schema && Array.isArray(schema.enum) ? schema.enum : []).map((value: unknown) => [
          list,
          filter,
          String(value),
        ]),
      ),
    )
    .filter(([, filter]) => filter !== "topic");
  expect(ofQueries.length).toBeGreaterThan(40);
  const all = [...ofQueries, ...ACTIVITIES.map((value) => ["segments", "activity", value])];
  for (const language of ["en", "ja"] as const)
    expect(all.filter((path) => !hasPath(filterNames[language], path))).toEqual([]);
});

function hasPath(names: object, path: readonly string[]): boolean {
  return (
    path.reduce<unknown>((at, name) => (at instanceof Object ? Reflect.get(at, name) : undefined), names) !== undefined
  );
}
