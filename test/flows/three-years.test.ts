import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { changeProgram } from "../../src/tiers/change-program.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { crowdDeeds } from "../three-years/crowd.ts";
import type { Deed } from "../three-years/deed.ts";
import { createDriver } from "../three-years/driver.ts";
import {
  modelBalance,
  modelOrders,
  modelSums,
  modelTier,
  shownBalance,
  shownOrders,
  shownSums,
  shownTier,
} from "../three-years/figures.ts";
import { livesDeeds } from "../three-years/lives.ts";
import { changeTerms, enact, openStore, passTo, type StoreModel, shopperOf } from "../three-years/store-model.ts";
import { firstDocument, isBefore, secondDocument, storeTime, termsFrom } from "../three-years/terms.ts";

const MONTHS = 36;
const SEED = 20_260_301;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, config: { sandbox: true } });
});
afterAll(() => service.stop());

/** A whole year that is still to come, with a leap year after it. */
async function firstYearFrom(): Promise<number> {
  const { body } = await service.client.get("/sandbox/clock");
  let year = Temporal.Instant.from(body.now).toZonedDateTimeISO("UTC").year + 2;
  while (!new Temporal.PlainDate(year + 1, 1, 1).inLeapYear) year++;
  return year;
}

/** Deeds by their time, oldest first. */
function byTime(deeds: readonly Deed[]): readonly { readonly at: Temporal.Instant; readonly deeds: readonly Deed[] }[] {
  const sorted = deeds.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
  const times = Map.groupBy(sorted, ({ at }) => at.toString());
  return [...times].map(([at, together]) => ({ at: Temporal.Instant.from(at), deeds: together }));
}

function apply(document: object) {
  return changeProgram(service.deps, { document, author: "test", isDryRun: false, isNow: false });
}

async function compareBalance(store: StoreModel, id: string): Promise<void> {
  const shown = await shownBalance(service.client, id);
  expect({ id, at: store.now.toString(), ...shown }).toEqual({
    ...{ id, at: store.now.toString() },
    ...modelBalance(store, shopperOf(store, id)),
  });
}

async function compareAll(store: StoreModel): Promise<void> {
  const { client } = service;
  const at = store.now.toString();
  expect({ at, ...(await shownOrders(client, [...store.orders.keys()])) }).toEqual({ at, ...modelOrders(store) });
  for (const [id, shopper] of store.shoppers) {
    await compareBalance(store, id);
    expect({ id, at, ...(await shownTier(client, id)) }).toEqual({ id, at, ...modelTier(store, id) });
    expect({ id, at, ...(await shownSums(client, id)) }).toEqual({ id, at, ...modelSums(shopper) });
  }
  const lines: string[] = [];
  const { ok } = await verifyLedger(service.deps.db, (line) => lines.push(line), ORDER_CHECKS);
  expect({ at, ok, faults: lines.filter((line) => line.startsWith("FAIL")) }).toEqual({ at, ok: true, faults: [] });
}

test("a store's three years: every number is the model's, and the ledger is whole at each month's end", async () => {
  const firstYear = await firstYearFrom();
  const terms = termsFrom(firstYear);
  const driver = createDriver(service.client);
  const start = storeTime(firstYear, -1, "12-01T00:00");
  await driver.goTo(start);
  await apply(firstDocument(terms));
  await driver.tellProducts(start);
  const store = openStore(terms, start);

  let months = 0;
  const monthEnd = (n: number) =>
    storeTime(firstYear, Math.floor(n / 12), `${String(1 + (n % 12)).padStart(2, "0")}-01T00:00`);
  async function passMonthsTo(at: Temporal.Instant): Promise<void> {
    for (; months < MONTHS && !isBefore(at, monthEnd(months + 1)); months++) {
      await driver.goTo(monthEnd(months + 1));
      passTo(store, monthEnd(months + 1));
      await compareAll(store);
    }
  }

  let isChanged = false;
  for (const { at, deeds } of byTime([...livesDeeds(firstYear), ...crowdDeeds(SEED, firstYear)])) {
    if (!isChanged && !isBefore(at, terms.changedAt)) {
      isChanged = true;
      await driver.goTo(terms.changedAt);
      await apply(secondDocument());
      passTo(store, terms.changedAt);
      changeTerms(store);
      await compareAll(store);
    }
    await passMonthsTo(at);
    const outcomes = await driver.does(deeds, at);
    passTo(store, at);
    const expected = deeds.map((deed) => enact(store, deed));
    expect([at.toString(), deeds, outcomes]).toEqual([at.toString(), deeds, expected]);
    for (const id of new Set(deeds.map(({ shopper }) => shopper))) await compareBalance(store, id);
  }
  await passMonthsTo(monthEnd(MONTHS));
  expect(months).toBe(MONTHS);
}, 180_000);
