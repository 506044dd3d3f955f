import { afterAll, beforeAll, expect, test } from "vitest";
import { previewReview } from "../../../src/orders/review/preview-review.ts";
import { selectSampleOrders } from "../../../src/orders/review/preview-review-queries.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { body, line, minute } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { sale } from "../../support/order-sale.ts";

const DAY = 24 * 60;
const EACH = 15;

let flow: OrderFlow;

beforeAll(async () => {
  flow = await startOrderFlow({ now: "2026-03-11T00:00:00Z" });
  await flow.customer("mina");
  for (let n = 0; n < EACH; n++) {
    await flow.take(...sale(`first${n}`, "mina", 100, { processedAt: minute(n) }));
    await flow.take(...sale(`second${n}`, "mina", 10_000, { processedAt: minute(DAY + n) }));
  }
});
afterAll(() => flow.stop());

test("what a program changes of the past is of all days where its time limit ends it, not of the newest", async () => {
  const { deps } = flow;
  const program = await readProgram(deps.db);
  const twice = <Rate extends { readonly pointValue: bigint }>(rate: Rate) => ({
    ...rate,
    pointValue: 2n * rate.pointValue,
  });
  const doubled = {
    ...program,
    earning: { ...program.earning, rate: twice(program.earning.rate) },
    tiers: { ...program.tiers, rules: program.tiers.rules.map(twice) },
  };
  const preview = (isOver: () => boolean) =>
    deps.db.snapshot((tx) => previewReview(tx, deps, { program: doubled, validFrom: null }, isOver));

  const all = await preview(() => false);
  expect(all).toMatchObject({ orders: 2 * EACH, lookedAt: 2 * EACH, changed: 2 * EACH });
  let looks = 0;
  const some = await preview(() => ++looks > 10);
  expect(some).toMatchObject({ orders: 2 * EACH, lookedAt: 11, changed: 11 });
  const perSmallOrder = all.pointsMore / BigInt(EACH * 101); // an order of the second day has a hundred times the points of one of the first
  const ofSecond = some.pointsMore / (100n * perSmallOrder);
  expect([ofSecond >= 2n, ofSecond <= 9n]).toEqual([true, true]);
});

test("a sample of pages, of very many orders, is in the same order", async () => {
  const read = (total: number) => selectSampleOrders(flow.deps.db, null, { total, limit: 250_000 });
  const spread = await read(2 * EACH);
  const pages = await read(250_001); // stated as so many that pages are chosen: with this limit, all
  expect(new Set(spread).size).toBe(2 * EACH);
  expect(pages).toEqual(spread);
});

test("an order that has not awarded yet is previewed with what is known of its products now, as the review posts it", async () => {
  const { deps } = flow;
  const processedAt = minute(5 * DAY);
  const lines = [line("a", { price: 1_000, productId: "late" })];
  await flow.take(...ofOrder("unshipped", "mina", [body(5 * DAY, lines, { processedAt })]));
  await flow.client.put("/api/storefront/products/late", { tags: ["no-points"] });
  const { earning, ...program } = await readProgram(deps.db);
  const paid = { ...earning, awardOn: "paid", excludedProductTags: ["no-points"] } as const;
  const preview = (changed: typeof earning) =>
    deps.db.snapshot((tx) =>
      previewReview(tx, deps, { program: { ...program, earning: changed }, validFrom: processedAt }, () => false),
    );
  expect(await preview({ ...paid, excludedProductTags: [] })).toMatchObject({ orders: 1, changed: 1, pointsMore: 10n });
  expect(await preview(paid)).toMatchObject({ orders: 1, changed: 0, pointsMore: 0n });
});
