import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { ConfigError } from "../../src/environment.ts";
import { pruneExports } from "../../src/exports/prune-exports.ts";
import { pruneReceipts } from "../../src/intake/prune-receipts.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
const { retention } = readConfig({ POINTKEEPER_KEEP_RECEIPTS_DAYS: "3", POINTKEEPER_KEEP_EXPORTS_DAYS: "45" });

beforeAll(async () => {
  service = await startTestService({ config: { retention } });
});

afterAll(() => service?.stop());

test("data is kept for as long as the settings say", async () => {
  const customer = { type: "CustomerUpserted", delivery_key: "kept-1", payload: { customer_id: "c1" } };
  await service.client.post("/intake/events", customer);
  const period = { start_datetime: "2026-01-01", end_datetime: "2026-12-31" };
  expect((await service.client.post("/api/storefront/point_balances/export", period)).status).toBeLessThan(300);
  const unfinished = "select from receipt where state <> 'done' union all select from export where state <> 'ready'";
  await expect.poll(() => service.deps.db.query(unfinished)).toEqual([]);
  const counts = async () => [await pruneReceipts(service.deps), await pruneExports(service.deps)];
  service.clock.advance({ hours: 24 * 2 });
  expect(await counts()).toEqual([0, 0]);
  service.clock.advance({ hours: 25 });
  expect(await counts()).toEqual([1, 0]);
  service.clock.advance({ hours: 24 * 41 });
  expect(await counts()).toEqual([0, 0]);
  service.clock.advance({ hours: 24 * 2 });
  expect(await counts()).toEqual([0, 1]);
});

test.each([
  ["POINTKEEPER_KEEP_RECEIPTS_DAYS", "0"],
  ["POINTKEEPER_KEEP_EXPORTS_DAYS", "29"],
  ["POINTKEEPER_KEEP_IMPORT_FILES_DAYS", "soon"],
  ["POINTKEEPER_KEEP_WEBHOOKS_DAYS", "0"],
])("%s=%s is refused at the start", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
});
