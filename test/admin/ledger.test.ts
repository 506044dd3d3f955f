import fc from "fast-check";
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

interface Wish {
  readonly type: readonly string[] | null;
  readonly customer: string | null;
  readonly direction: "earned" | "spent" | null;
  readonly at_least: number | null;
  readonly at_most: number | null;
  readonly source: string | null;
  readonly order: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** What the filters mean, said once more: days are those of Tokyo. */
function matches(row: ModelRow, wish: Wish): boolean {
  const size = row.points < 0n ? -row.points : row.points;
  const day = row.at.toZonedDateTimeISO("Asia/Tokyo").toPlainDate().toString();
  return (
    (wish.type === null || wish.type.includes(row.type)) &&
    (wish.customer === null || row.customer === wish.customer || row.email === wish.customer) &&
    (wish.direction === null || (wish.direction === "earned" ? row.points > 0n : row.points < 0n)) &&
    (wish.at_least === null || size >= wish.at_least) &&
    (wish.at_most === null || size <= wish.at_most) &&
    (wish.source === null || row.texts.includes(wish.source)) &&
    (wish.order === null || row.parent === `order-${wish.order}`) &&
    (wish.from === null || day >= wish.from) &&
    (wish.to === null || day <= wish.to)
  );
}

function queryOf(wish: Wish): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wish)) if (value !== null) query.set(name, String(value));
  return query.toString();
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 1 });
const days = fc
  .integer({ min: 0, max: 40 })
  .map((n) => Temporal.PlainDate.from("2026-02-27").add({ days: n }).toString());
const wishes: fc.Arbitrary<Wish> = fc.record({
  type: maybe(fc.subarray(["fulfillment", "manual", "api", "reward", "csv"], { minLength: 1 })),
  customer: maybe(fc.constantFrom("c1", "c3", "c2@tea.example")),
  direction: maybe(fc.constantFrom("earned", "spent")),
  at_least: maybe(fc.integer({ min: 0, max: 250 })),
  at_most: maybe(fc.integer({ min: 0, max: 250 })),
  source: maybe(fc.constantFrom("tests", "reward-3", "Mika, the manager", "order-o9", "fulfillment-o18-f", "nobody")),
  order: maybe(fc.constantFrom("o9", "o0", "none")),
  from: maybe(days),
  to: maybe(days),
});

describe("the ledger", () => {
  test("any filters show what a look at every row finds, page by page, newest first; the file and the sums agree", async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (wish) => {
        const expected = model.filter((row) => matches(row, wish));
        const query = queryOf(wish);
        expect(await story.listAll(query)).toEqual(expected.map(({ uid }) => uid));
        expect(uidsOf((await support.get(`/ledger.csv?${query}`)).text)).toEqual(expected.map(({ uid }) => uid));
        const sum = (rows: readonly ModelRow[]) => rows.reduce((total, { points }) => total + Number(points), 0);
        expect((await viewer.get(`/ledger/totals?${query}`)).body.data).toEqual({
          is_whole: true,
          count: expected.length,
          earned: sum(expected.filter(({ points }) => points > 0n)),
          spent: sum(expected.filter(({ points }) => points < 0n)),
        });
      }),
      { numRuns: 30 },
    );
  });

  test("each filter alone finds something, and pages are of 50", async () => {
    const alone = [
      "type=manual,csv",
      "customer=c2",
      "direction=spent",
      "at_least=200",
      "at_most=20",
      "source=reward-3",
    ];
    for (const query of [...alone, "order=o9", "from=2026-03-20", "to=2026-03-10"]) {
      const found = (await viewer.get(`/ledger?${query}`)).body.data.length;
      expect(found, query).toBeGreaterThan(0);
      expect(found, query).toBeLessThan(model.length);
    }
    const first = await viewer.get("/ledger");
    expect(first.body.data).toHaveLength(50);
    expect(first.body.looked_back_to).toBeNull();
    expect(await story.listAll("")).toHaveLength(model.length);
  });

  test("a row names its customer, its order, who asked and why", async () => {
    const [manual] = (await viewer.get("/ledger?type=manual")).body.data;
    const row = model.find(({ uid }) => uid === manual.uid);
    expect(manual).toMatchObject({
      type: "manual",
      point_value: 200,
      customer: { id: row?.customer, email: row?.email, is_deleted: false },
      order_id: null,
      app_reference: "tests",
      actor: "Mika, the manager",
      note: row?.note,
    });
    const [award] = (await viewer.get("/ledger?order=o9")).body.data;
    expect(award).toMatchObject({ order_id: "o9", object: "line_item-a", parent: "order-o9", customer: { id: "c2" } });
  });

  test("why a row is what it is, in the language asked for", async () => {
    const [award] = (await viewer.get("/ledger?order=o9")).body.data;
    const { body: answer } = await viewer.get(`/ledger/${award.uid}/explanation?language=ja`);
    expect(answer.data).toMatchObject({ uid: award.uid, customer: { id: "c2" }, order_id: "o9" });
    expect(answer.data.words.join("")).toContain("ポイント");
    expect((await viewer.get("/ledger/none/explanation")).status).toBe(404);
  });

  test("filters that cannot be read are named, each", async () => {
    const faults = async (query: string) => {
      const { status, body: answer } = await viewer.get(`/ledger?${query}`);
      return [
        status,
        ...answer.errors.map((fault: { source: { parameter: string } }) => fault.source.parameter).sort(),
      ];
    };
    expect(await faults("type=manual,gift&from=yesterday&to=2026-02-30")).toEqual([422, "from", "to", "type"]);
    expect(await faults("customer=nobody")).toEqual([422, "customer"]);
    expect(await faults("customer=nobody@tea.example")).toEqual([422, "customer"]);
    expect(await faults("at_least=many&direction=up")).toEqual([422, "at_least", "direction"]);
    expect(await faults("after=AVs")).toEqual([422, "after"]);
  });
});
