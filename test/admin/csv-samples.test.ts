import { afterAll, beforeAll, expect, test } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { IMPORT_FIELDS, IMPORT_KINDS } from "../../src/wire/import-fields.ts";
import { importSample } from "../../src/wire/import-samples.ts";
import { LANGUAGES } from "../../src/wire/language.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
});
afterAll(() => service?.stop());

/** The customers first: the other files name them. */
const KINDS = IMPORT_KINDS.toSorted((a, b) => Number(b === "customers") - Number(a === "customers"));
const CASES = KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));

test.each(CASES)("the sample of %s in %s has all columns and is imported without a fault", async (kind, language) => {
  const { year } = service.clock.now().toZonedDateTimeISO("UTC");
  const sample = `\uFEFF${importSample(kind, language, year)}`;
  const sent = await upload({ url: service.url, cookie: manager.cookie }, sample, { kind, name: `${language}.csv` });
  expect(sent.status, sent.text).toBe(201);
  const fields = IMPORT_FIELDS[kind].map((field, n) => [field, n]);
  expect(sent.body.data).toMatchObject({ has_header: true, columns: Object.fromEntries(fields) });
  const path = `/imports/${sent.body.data.uid}`;
  expect((await manager.post(`${path}/check`, settingsOf(sent.body.data))).status).toBe(200);
  await workImports(service.deps);
  const faults = await manager.get(`${path}/faults?phase=check`);
  expect(faults.body.data).toEqual([]);
  expect((await manager.post(`${path}/start`, {})).status).toBe(200);
  await workImports(service.deps);
  expect((await manager.get(path)).body.data).toMatchObject({
    state: "imported",
    check: { row_count: 2, good_count: 2 },
  });
});
