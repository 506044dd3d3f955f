import { afterAll, beforeAll, expect, test } from "vitest";
import { DROP_REPEATED_EMAILS } from "../../src/imports/check/drop-repeated-emails.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A file is checked right after its rows were written, when the statistics know only earlier files.

const ROWS = 2_000;
const [EARLIER, CHECKED] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
const WRITE = `insert into import_profile (import_uid, bucket, n, line, storefront_id, profile)
select $1::text::uuid, n % 256, n, n, $1::text || n, jsonb_build_object('email', case when n % 2 = 0 then 'same' else n::text end || '@example.com')
from generate_series(1, ${ROWS}) n`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns how many rows the nodes of a plan read and compared, together. */
function workOf(node: PlanNode): number {
  const rows = node["Actual Rows"] + (node["Rows Removed by Join Filter"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  return (node.Plans ?? []).reduce((sum, each) => sum + workOf(each), rows * node["Actual Loops"]);
}

test("repeated addresses of a new file are found without comparing each row with every other", async () => {
  const { owner } = service;
  await owner.execute(WRITE, [EARLIER]);
  await owner.execute("analyze import_profile");
  await owner.execute(WRITE, [CHECKED]);
  const [row] = await owner.query<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(
    `explain (analyze, format json) ${DROP_REPEATED_EMAILS.replaceAll("$1", `'${CHECKED}'`)}`,
  );
  const plan = row?.["QUERY PLAN"][0].Plan;
  expect(plan === undefined ? Number.NaN : workOf(plan)).toBeLessThan(30 * ROWS);
  const left = await owner.query("select from import_profile where import_uid = $1", [CHECKED]);
  expect(left).toHaveLength(ROWS / 2 + 1); // of the repeated address its first row
});
