import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LedgerStory, type ModelRow, startLedgerStory, uidsOf } from "../support/ledger-story.ts";
import type { AdminClient } from "../support/staff.ts";

let story: LedgerStory;
let viewer: AdminClient;
let support: AdminClient;
let model: ModelRow[];

beforeAll(async () => {
  story = await startLedgerStory();
  ({ viewer, support } = story);
  model = await story.readModel();
});
afterAll(() => story.stop());

describe("the ledger's file", () => {
  test("cells are as the list's, formulas are no formulas, times are the store's, and Excel's mark comes when asked for", async () => {
    const plain = await support.get("/ledger.csv?type=manual&customer=c3");
    const [row] = (await viewer.get("/ledger?type=manual&customer=c3")).body.data;
    const [head, first] = plain.text.split("\r\n");
    expect(head).toBe(
      "allotted_at,type,point_value,balance_after,customer_id,customer_name,customer_email,order_id,object,action,app_reference,actor,reason_type,note,uid",
    );
    const local = Temporal.Instant.from(row.allotted_at).toZonedDateTimeISO("Asia/Tokyo").toString().slice(0, 19);
    expect(first).toContain(`${local}.000000+09:00,manual,200,${row.balance_after},c3,,c3@tea.example,,,,tests,`);
    expect(first).toContain(`"Mika, the manager",,'${row.note},${row.uid}`);
    expect(plain.headers.get("content-disposition")).toBe('attachment; filename="ledger-all-2026-04-05.csv"');
    const dated = await support.get("/ledger.csv?from=2026-03-01&to=2026-03-31&encoding=utf-8-bom");
    expect(dated.headers.get("content-disposition")).toBe('attachment; filename="ledger-2026-03-01-2026-03-31.csv"');
    const bytes = async (query: string) => {
      const answer = await fetch(`${story.url}/admin/api/ledger.csv?${query}`, { headers: { cookie: support.cookie } });
      return Buffer.from(await answer.arrayBuffer())
        .subarray(0, 3)
        .toString("hex");
    };
    expect([await bytes("encoding=utf-8-bom"), await bytes("")]).toEqual([
      "efbbbf",
      Buffer.from("all").toString("hex"),
    ]);
  });

  test("it is for support and above, and is written down with its filters", async () => {
    expect((await viewer.get("/ledger.csv")).status).toBe(403);
    await support.get("/ledger.csv?type=csv&customer=c4");
    const [entry] = await story.deps.db.query(
      "select actor_name, action, subject_kind, after from audit_entry where action = 'ledger.exported' order by id desc limit 1",
    );
    const [c4] = await story.deps.db.query("select customer_uid from customer where storefront_id = 'c4'");
    expect(entry).toMatchObject({ subject_kind: "ledger" });
    expect(entry?.["after"]).toEqual({ type: "csv", customer_uid: c4?.["customer_uid"] });
    expect(entry?.["actor_name"]).toMatch(/^support/);
    expect((await support.get("/ledger.csv?customer=C4%40tea.example")).status).toBe(200);
    const told = await story.deps.db.query("select from audit_entry where after::text ilike '%@tea.example%'");
    expect(told).toHaveLength(0);
  });
});

describe("a ledger too long to look through", () => {
  beforeAll(async () => {
    story.clock.advance({ hours: 1 });
    await story.giveOneByOne("c4", 21_000);
    model = await story.readModel();
  });

  test("a page looks at a part of it and says how far; going on finds all the same, and nothing twice", async () => {
    const first = await viewer.get("/ledger?at_least=150");
    expect(first.body.data).toEqual([]);
    const back = Temporal.Instant.from(first.body.looked_back_to);
    const newest = model[0]?.at;
    if (newest === undefined) throw new Error("no rows");
    expect(Temporal.Instant.compare(back, newest)).toBe(-1);
    const expected = model.filter(({ points }) => points >= 150n || points <= -150n).map(({ uid }) => uid);
    expect(await story.listAll("at_least=150")).toEqual(expected);
    expect(await story.listAll("at_least=150&type=flow,manual,api,reward,csv,fulfillment")).toEqual(expected);
    expect(await story.listAll("at_least=150&customer=c4")).toEqual(
      model.filter((row) => row.customer === "c4" && expected.includes(row.uid)).map(({ uid }) => uid),
    );
  });

  test("what is rare is found at once where its index leads to it", async () => {
    const page = await viewer.get("/ledger?type=manual");
    expect(page.body.data.length).toBeGreaterThan(0);
    expect((await viewer.get("/ledger?order=o9")).body.data).toHaveLength(1);
  });

  test("sums are given only where few enough rows have to be looked at", async () => {
    expect((await viewer.get("/ledger/totals")).body.data).toEqual({ is_whole: false, count: 0, earned: 0, spent: 0 });
    expect((await viewer.get("/ledger/totals?type=flow&from=2026-04-06")).body.data.is_whole).toBe(true);
    expect((await viewer.get("/ledger/totals?type=manual")).body.data).toMatchObject({ is_whole: true });
    expect((await viewer.get("/ledger/totals?type=flow,manual,api")).body.data.is_whole).toBe(false);
  });

  test("sums of several types are given as long as all of them together are few enough", async () => {
    const from = model[4_999]?.at.toString() ?? "";
    const several = await viewer.get(`/ledger/totals?type=flow,manual,api,reward&direction=earned&from=${from}`);
    expect(several.body.data).toEqual({ is_whole: true, count: 5_000, earned: 5_000, spent: 0 });
  });

  test("the file has every row of many pages, and a reader that goes away ends it", async () => {
    const file = await support.get("/ledger.csv?type=flow,manual");
    const expected = model.filter(({ type }) => type === "flow" || type === "manual").map(({ uid }) => uid);
    expect(uidsOf(file.text)).toEqual(expected);
    const gone = new AbortController();
    const answer = await fetch(`${story.url}/admin/api/ledger.csv`, {
      headers: { cookie: support.cookie },
      signal: gone.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    gone.abort();
    expect((await viewer.get("/ledger")).status).toBe(200);
    expect(await story.faults()).toEqual([]);
  });
});
