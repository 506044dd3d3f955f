import { afterAll, beforeAll, expect, test } from "vitest";
import { READ_LEFT } from "../../src/ledger/expiry/read-expired.ts";
import { READ_NAMED } from "../../src/ledger/lots/lot-queries.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A file may have thousands of rows for one customer, each of which opens a lot. Undoing it names these lots by their versions.

const LOTS = 5_000;
const NAMED = 100;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

interface ReadBlocks {
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
}

test.each([
  ["to draw from them", READ_NAMED],
  ["to find what has expired", READ_LEFT],
])("lots that are named %s are read without a search of all lots for each", async (_, text) => {
  const { owner, deps } = service;
  const { bucket, customerUid } = await makeCustomer(deps);
  await owner.execute(
    `insert into lot (bucket, customer_uid, version, part, remaining, since, extends)
    select $1, $2, n, 0, 1, timestamptz '2026-01-01' + n * interval '1 second', false
    from generate_series(1, ${LOTS}) n`,
    [bucket, customerUid],
  );
  const of = (value: unknown) => `'{${Array.from({ length: NAMED }, () => value).join(",")}}'`;
  const versions = `'{${Array.from({ length: NAMED }, (_, n) => LOTS - n).join(",")}}'`;
  const values = [of(bucket), of(customerUid), versions];
  const given = text.replaceAll(/\$(\d)/g, (_, at) => values[Number(at) - 1] ?? "");
  expect(await owner.query(given)).toHaveLength(NAMED);
  const [row] = await owner.query<{ "QUERY PLAN": readonly [{ readonly Plan: ReadBlocks }] }>(
    `explain (analyze, buffers, format json) ${given}`,
  );
  const plan = row?.["QUERY PLAN"][0].Plan;
  expect((plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0)).toBeLessThan(1_000);
});
