import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { listAllotments } from "../../../src/points/allotments/list-allotments.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, log: () => {} });
});
afterAll(() => service.stop());

test("a commit between a page's rows and its mark is not skipped by the page's cursor", async () => {
  const { deps } = service;
  const add = () =>
    plainPosting(deps.random.uid(), "api", "test", { kind: "add", pointValue: 5n, shortfall: "refuse" });
  const [inFlight, committed] = [await makeCustomer(deps), await makeCustomer(deps)];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let posted = () => {};
  const isPosted = new Promise<void>((resolve) => {
    posted = resolve;
  });
  const open = deps.db.tx(async (tx) => {
    await postAllotments(tx, deps, [{ customer: inFlight, posting: add() }]);
    posted();
    await released;
  });
  await isPosted;
  service.clock.advance({ seconds: 1 });
  await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer: committed, posting: add() }]));
  await advanceSettledMark(deps);
  const db: typeof deps.db = {
    ...deps.db,
    async query(text: string, params?: never) {
      // cast: handed on as it came
      const rows = await deps.db.query(text, params);
      if (/\boffset \$\d/.test(text)) {
        release(); // the page's rows are read: what was in flight commits now
        await open;
      }
      return rows as never; // cast: the caller names the rows that it selects
    },
  };
  const first = await listAllotments({ ...deps, db }, { page: 1 } as never); // cast: of a query all fields but these are optional
  const seen = new Set(first.rows.map(({ uid }) => uid));
  let cursor = first.end.nextCursor;
  await waitUntil(async () => {
    // Until both were seen: transactions of other databases of the server can hold the settled mark up.
    const page = await listAllotments(deps, { cursor } as never); // cast: as above
    for (const { uid } of page.rows) seen.add(uid);
    cursor = page.end.nextCursor;
    return seen.size === 2;
  });
  const all = await deps.db.query<{ uid: string }>("select uid from allotment");
  expect(new Set(all.map(({ uid }) => uid))).toEqual(seen);
});

test("a page of a list whose allotments are settled writes nothing, and pages of a busy store move the mark now and then", async () => {
  const { deps } = service;
  const customer = await makeCustomer(deps);
  const post = () =>
    deps.db.tx((tx) =>
      postAllotments(tx, deps, [
        {
          customer,
          posting: plainPosting(deps.random.uid(), "api", "test", { kind: "add", pointValue: 1n, shortfall: "refuse" }),
        },
      ]),
    );
  const moves = async () => {
    const [row] = await deps.db.query<{ xmin: string }>("select xmin::text from ledger_mark");
    return row?.xmin;
  };
  const list = () => listAllotments(deps, { page: 1 } as never); // cast: of a query all fields but these are optional
  await post();
  await waitUntil(async () => {
    await list();
    const rows = await deps.db.query("select from allotment a, ledger_mark m where a.allotted_at > m.settled_at");
    return rows.length === 0;
  });
  const settled = await moves();
  for (let i = 0; i < 5; i++) await list();
  expect(await moves()).toBe(settled);
  const versions = new Set<string | undefined>();
  const startedMs = performance.now();
  while (versions.size < 2 || performance.now() - startedMs < 500) {
    await post();
    await list();
    versions.add(await moves());
  }
  expect(versions.size).toBeGreaterThan(1);
  expect(versions.size).toBeLessThanOrEqual(2 + (performance.now() - startedMs) / 100);
});
