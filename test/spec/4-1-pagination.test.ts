import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { advanceBookmarks } from "../../src/points/allotments/advance-bookmarks.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

const PATH = "/api/storefront/point_allotments";
const ROWS = 1_260;
let service: TestService;
let storefrontId: string;

interface Row {
  uid: string;
  point_value: number;
  allotted_at: string;
}

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00.123456Z" });
  const busy = await makeCustomer(service.deps);
  const quiet = await makeCustomer(service.deps);
  storefrontId = busy.storefrontId;
  for (let from = 0; from < ROWS; from += 60) {
    await service.deps.db.tx((tx) =>
      postAllotments(
        tx,
        service.deps,
        Array.from({ length: 60 }, (_, i) => ({
          customer: (from + i) % 3 === 0 ? quiet : busy,
          posting: plainPosting(service.deps.random.uid(), i % 2 === 0 ? "api" : "manual", "test", {
            kind: "add",
            pointValue: BigInt(from + i + 1),
            shortfall: "refuse",
          }),
        })),
      ),
    );
    service.clock.advance({ seconds: 1 });
  }
});
afterAll(() => service.stop());

const get = async (query: string, path = PATH) => (await service.client.get(`${path}?${query}`)).body;

/** Every row in the list's order, read in pages of 250 by number. */
async function readAll(query: string, path = PATH): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const body = await get(`${query}&page=${page}`, path);
    rows.push(...body.data);
    if (!body.meta.has_more) return rows;
  }
}

const rowsOf = [
  ["the store", PATH],
  ["a customer", () => `${PATH}/${storefrontId}`],
] as const;

describe.each(rowsOf)("interface 4.1: pagination of the list of %s", (_name, place) => {
  const path = () => (typeof place === "string" ? place : place());

  test("250 results, ascending by allotted_at and uid, by default", async () => {
    const body = await get("", path());
    expect(body.data).toHaveLength(250);
    expect(body.meta).toMatchObject({ page: 1, per_page: 250, has_more: true });
    const keys = body.data.map((row: Row) => `${row.allotted_at} ${row.uid}`);
    expect(keys).toEqual(keys.toSorted());
  });

  test.each([false, true])("pages of any size agree with one another, with bookmarks: %s", async (hasBookmarks) => {
    if (hasBookmarks) await advanceBookmarks(service.deps);
    const all = (await readAll("per_page=250", path())).map((row) => row.uid);
    expect(new Set(all).size).toBe(all.length);
    for (const perPage of [7, 100, 249]) {
      for (const page of [1, 2, 5, Math.ceil(all.length / perPage), Math.ceil(all.length / perPage) + 1]) {
        const asc = await get(`per_page=${perPage}&page=${page}`, path());
        expect(asc.data.map((row: Row) => row.uid)).toEqual(all.slice((page - 1) * perPage, page * perPage));
        expect(asc.meta.has_more).toBe(page * perPage < all.length);
        const desc = await get(`per_page=${perPage}&page=${page}&direction=DESC`, path());
        expect(desc.data.map((row: Row) => row.uid)).toEqual(
          all.toReversed().slice((page - 1) * perPage, page * perPage),
        );
        expect(desc.meta.has_more).toBe(page * perPage < all.length);
      }
    }
  });

  test("filters by type and exclusive times work on every page, both ways", async () => {
    const all = await readAll("per_page=250", path());
    const after = all[100]?.allotted_at ?? "";
    const before = all[700]?.allotted_at ?? "";
    const wanted = all.filter((row) => row.allotted_at > after && row.allotted_at < before).map((row) => row.uid);
    expect(wanted.length).toBeGreaterThan(500);
    const filter = `after=${after}&before=${before}&per_page=110`;
    expect((await readAll(filter, path())).map((row) => row.uid)).toEqual(wanted);
    expect((await readAll(`${filter}&direction=desc`, path())).map((row) => row.uid)).toEqual(wanted.toReversed());
    const manual = await readAll("type=manual&per_page=90", path());
    expect(manual.length).toBeGreaterThan(400);
    expect(new Set(manual.map((row) => Reflect.get(row, "type")))).toEqual(new Set(["manual"]));
  });

  test("a reader that follows cursors sees every row once, and what comes later when it goes on", async () => {
    const all = (await readAll("per_page=250", path())).map((row) => row.uid);
    let body = await get("per_page=101", path());
    let seen: string[] = [];
    // a row is shown to cursors once no older transaction of the server can still commit before it, and until then the cursor of a
    // page by number stays behind: here and below
    await waitUntil(async () => {
      body = await get("per_page=101", path());
      seen = body.data.map((row: Row) => row.uid);
      while (body.meta.has_more) {
        body = await get(`per_page=101&cursor=${body.meta.next_cursor}`, path());
        seen.push(...body.data.map((row: Row) => row.uid));
      }
      return seen.length === all.length;
    });
    expect(seen).toEqual(all);
    const created = await service.client.post(PATH, { customer_id: storefrontId, point_value: 1 });
    let later: Row[] = [];
    await waitUntil(async () => {
      later = (await get(`per_page=101&cursor=${body.meta.next_cursor}`, path())).data;
      return later.length > 0;
    });
    expect(later.map((row) => row.uid)).toEqual([created.body.data.id]);
  });

  test("a Link header leads on (RFC 8288)", async () => {
    const answer = await service.client.get(`${path()}?per_page=3&page=2`);
    const link = answer.headers.get("link") ?? "";
    expect(link).toMatch(/page=3[^>]*>; rel="next"/);
    expect(link).toMatch(/page=1[^>]*>; rel="prev"/);
  });

  test.each([
    "page=0",
    "page=x",
    "per_page=0",
    "per_page=251",
    "direction=up",
    "before=yesterday",
    "type=gift",
    "cursor=abc",
  ])("%s is 422", async (query) => {
    const answer = await service.client.get(`${path()}?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.parameter).toBe(query.split("=")[0]);
  });
});
