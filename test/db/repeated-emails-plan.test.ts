import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { DROP_REPEATED_EMAILS } from "../../src/imports/check/drop-repeated-emails.ts";
import { KEEP_STANDINGS } from "../../src/imports/row-queries.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A file is checked right after its rows were written, when the statistics know only earlier files.

const ROWS = 2_000;
const EARLIER = "00000000-0000-7000-8000-000000000001";
const CHECKED = "00000000-0000-7000-8000-000000000002";
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

/** Runs a statement and returns the plan that it had. */
async function explained(owner: Queryable, text: string): Promise<PlanNode> {
  const [row] = await owner.query<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
  );
  if (row === undefined) throw new Error("there is no plan");
  return row["QUERY PLAN"][0].Plan;
}

test("repeated addresses of a new file are found without comparing each row with every other", async () => {
  const { owner } = service;
  await owner.execute(WRITE, [EARLIER]);
  await owner.execute("analyze import_profile");
  await owner.execute(WRITE, [CHECKED]);
  const plan = await explained(owner, DROP_REPEATED_EMAILS.replaceAll("$1", `'${CHECKED}'`));
  expect(workOf(plan)).toBeLessThan(30 * ROWS);
  const left = await owner.query("select from import_profile where import_uid = $1", [CHECKED]);
  expect(left).toHaveLength(ROWS / 2 + 1); // of the repeated address its first row
});

test("standings of a batch of a new file are stored without reading each of its rows", async () => {
  const { owner } = service;
  const write = `insert into import_row (import_uid, bucket, n, line, customer_uid)
select $1::text::uuid, n % 4, n, n, $1::text::uuid
from generate_series(1, ${ROWS}) n`;
  await owner.execute(write, [EARLIER]);
  await owner.execute("analyze import_row");
  await owner.execute(write, [CHECKED]);
  const rows = Array.from({ length: 100 }, (_, at) => (at + 1) * 4);
  const given = (values: readonly unknown[]) => `'{${values.join(",")}}'`;
  const same = (value: unknown) => given(rows.map(() => value));
  const values = [`'${CHECKED}'`, same(0), given(rows), same(1), same(2), "0", "4", "0", "400"];
  const text = KEEP_STANDINGS.replaceAll(/\$(\d)/g, (_, at) => values[Number(at) - 1] ?? "");
  expect(workOf(await explained(owner, text))).toBeLessThan(ROWS);
  expect(await owner.query("select from import_row where before is not null")).toHaveLength(100);
});
