import { afterAll, beforeAll, expect, test } from "vitest";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// An undoing leaves the rows whose points are spent: those stay, for their list, while the others go.

const ROWS = 60_000;
const UNDONE = "00000000-0000-7000-8000-000000000001";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  const now = service.deps.clock.now();
  await service.owner.execute(
    `insert into import (uid, kind, state, file_name, created_at, finished_at, undone_at, created_by_uid, created_by, content_sha256)
values ($1, 'points', 'undone', 'points.csv', $2, $2, $2, $1, 'somebody', 'x')`,
    [UNDONE, now.subtract({ hours: 24 * 3 })],
  );
  await service.owner.execute(
    `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value)
select $1, n % 256, n, n, md5('c' || n)::uuid, 1
from generate_series(1, ${ROWS}) n`,
    [UNDONE],
  );
  await service.owner.execute(
    `insert into import_fault (import_uid, phase, n, line, code)
select $1, 'undo', n, n, 'points_left'
from generate_series(1, ${ROWS}) n
where n % 256 < 128`,
    [UNDONE],
  );
  await service.owner.execute("analyze import, import_row, import_fault");
});
afterAll(() => service.stop());

test("the rows that an undoing left are read once, not again for each slice of the others", async () => {
  const { deps, owner } = service;
  const read = await rowsScanned(deps.db, "import_row", (db) => pruneImports({ ...deps, db }));
  const [left] = await owner.query("select count(*)::int as rows, max(bucket)::int as bucket from import_row");
  expect(left).toEqual({ rows: 30_048, bucket: 127 });
  expect(read).toBeLessThan(3 * ROWS); // each row for the end of its slice, and with its slice
});
