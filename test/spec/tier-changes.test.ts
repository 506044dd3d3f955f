import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StoryService, startStory } from "../support/story.ts";

/** The three examples of the vendor's help, through the front door under the sandbox clock: period 3, window 1, start January. */
const rule = (name: string, requirement: number) => ({
  name,
  default: requirement === 0,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});

let story: StoryService;
let year: number;

beforeAll(async () => {
  story = await startStory({
    store: { currency: "JPY", time_zone: "Asia/Tokyo" },
    tiers: {
      period_months: 3,
      start_month: 1,
      window_months: 1,
      rules: [rule("Bronze", 0), rule("Silver", 10_000), rule("Gold", 50_000)],
    },
  });
  year = story.firstYear;
  await story.goTo(`${year}-01-10T00:00:00+09:00`);
});
afterAll(() => story.stop());

const of = (id: string, path: string) => story.client.get(`/api/storefront/point_balances/${id}/${path}`);
const tierOf = async (id: string): Promise<string> => (await of(id, "tier")).body.data.tier;
const changesOf = async (id: string) => (await of(id, "tier_changes")).body.data;
const april = () => `${year}-03-31T15:00:00.000000Z`;

describe("tier checks, as the vendor's help tells them", () => {
  test("the next check is in April, over March's spend", async () => {
    await story.customer("100");
    await story.customer("101");
    await story.customer("102");
    expect((await of("100", "tier")).body.data.deadline).toBe(april());
    await story.client.post("/api/storefront/point_balances/102/tiers", { tier: "Gold", minimum_tier: "Gold" });
    await story.client.post("/api/storefront/point_balances/101/tiers", { tier: "Gold" });

    await story.order("100", `${year}-02-20T12:00:00+09:00`, 60_000);
    await story.order("100", `${year}-03-20T12:00:00+09:00`, 12_000);
    await story.goTo(`${year}-03-31T23:59:59+09:00`);
    expect(await tierOf("100")).toBe("Bronze");
    await story.goTo(`${year}-04-01T00:00:00+09:00`);
    expect(await tierOf("100")).toBe("Silver");
    const [bronze, silver] = (await story.client.get("/api/storefront/tiers")).body.data;
    expect(await changesOf("100")).toEqual([
      {
        changed_at: april(),
        from: "Bronze",
        from_uid: bronze.uid,
        to: "Silver",
        to_uid: silver.uid,
        cause: "check",
        spend: { amount: "12000", currency: "JPY", raw_amount: 12_000 },
        check_at: april(),
        actor: null,
      },
    ]);
    expect((await of("100", "tier")).body.data.deadline).toBe(`${year}-06-30T15:00:00.000000Z`);
  });

  test("a miss drops one tier a check", async () => {
    expect(await tierOf("101")).toBe("Silver");
    await story.goTo(`${year}-07-01T00:00:00+09:00`);
    expect(await tierOf("101")).toBe("Bronze");
    const changes = await changesOf("101");
    expect(changes.map(({ from, to, cause }: Record<string, string>) => [from, to, cause])).toEqual([
      ["Silver", "Bronze", "check"],
      ["Gold", "Silver", "check"],
      ["Bronze", "Gold", "api"],
    ]);
    expect(changes[2]).toMatchObject({ spend: null, check_at: null });
    expect(changes[2].actor).not.toBeNull();
  });

  test("a floor holds", async () => {
    expect(await tierOf("102")).toBe("Gold");
    expect(await changesOf("102")).toHaveLength(1);
  });

  test("a check to be skipped changes nothing, and the one after it does again", async () => {
    await story.client.post("/api/storefront/point_balances/100/tiers", { tier: "Gold", skip_next_check: true });
    await story.goTo(`${year}-10-01T00:00:00+09:00`);
    expect((await of("100", "tier")).body.data).toMatchObject({ tier: "Gold", skip_next_check: false });
    await story.goTo(`${year + 1}-01-01T00:00:00+09:00`);
    expect(await tierOf("100")).toBe("Silver");
  });

  test("the list comes in pages, in both spellings, by e-mail too, and of nobody is 404", async () => {
    const first = await of("101", "tier_changes?per_page=2");
    expect(first.body.meta).toEqual({ page: 1, per_page: 2, has_more: true, next_cursor: null });
    expect(first.headers.get("link")).toContain('rel="next"');
    const second = await story.client.get(
      "/api/storefront/point_balance/101%40example.com/tier_changes?per_page=2&page=2",
    );
    expect([second.body.data.length, second.body.meta.has_more]).toEqual([1, false]);
    expect((await of("404", "tier_changes")).status).toBe(404);
    expect((await of("101", "tier_changes?per_page=251")).status).toBe(422);
  });
});
