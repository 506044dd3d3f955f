import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../../src/db/pool.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A file may have a million rows: they are removed in short transactions.

const ROWS = 12_000;
const GIVEN_UP = "00000000-0000-7000-8000-000000000001";
const KEPT = "00000000-0000-7000-8000-000000000002";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const [uid, state] of [
    [GIVEN_UP, "given_up"],
    [KEPT, "imported"],
  ] as const) {
    await service.owner.execute(
      `insert into import (uid, kind, state, file_name, created_at, finished_at, created_by_uid, created_by, content_sha256)
values ($1, 'points', $2, 'points.csv', $3, $3, $1, 'somebody', $4)`,
      [uid, state, service.deps.clock.now(), Buffer.from(uid)],
    );
    await service.owner.execute(
      `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value)
select $1, n % 256, n, n, md5('c' || n)::uuid, 1
from generate_series(1, ${ROWS}) n`,
      [uid],
    );
  }
});
afterAll(() => service.stop());

test("the rows of a file that was given up are removed some thousands at a time", async () => {
  const removed: number[] = [];
  const db: Db = Object.create(service.deps.db, {
    execute: {
      value: async (text: string, params?: Parameters<Db["execute"]>[1]) => {
        const count = await service.deps.db.execute(text, params);
        if (text.startsWith("delete from import_row")) removed.push(count);
        return count;
      },
    },
  });
  await pruneImports({ ...service.deps, db });
  expect(removed).toEqual([5_000, 5_000, 2_000]);
  const left = await service.owner.query("select import_uid as uid, count(*)::int as rows from import_row group by 1");
  expect(left).toEqual([{ uid: KEPT, rows: ROWS }]);
});
