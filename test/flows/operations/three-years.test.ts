import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { changeProgram } from "../../../src/tiers/change-program.ts";
import { TIER_CHECKS } from "../../../src/tiers/tier-checks.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { crowdActions } from "../../three-years/crowd.ts";
import { createDriver } from "../../three-years/driver.ts";
import {
  modelBalance,
  modelOrders,
  modelSums,
  modelTier,
  shownBalance,
  shownOrders,
  shownSums,
  shownTier,
} from "../../three-years/figures.ts";
import { plannedActions } from "../../three-years/lives.ts";
import type { StoreAction } from "../../three-years/store-action.ts";
import {
  changeTerms,
  enact,
  passTo as letPass,
  openStore,
  type Shopper,
  type StoreModel,
  shopperOf,
  whatHappened,
} from "../../three-years/store-model.ts";
import { firstDocument, isBefore, secondDocument, storeTime, termsFrom } from "../../three-years/terms.ts";

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
function byTime(
  actions: readonly StoreAction[],
): readonly { readonly at: Temporal.Instant; readonly together: readonly StoreAction[] }[] {
  const sorted = actions.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
  const times = Map.groupBy(sorted, ({ at }) => at.toString());
  return [...times].map(([at, together]) => ({ at: Temporal.Instant.from(at), together }));
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
  const compareOrders = async () => {
    const shown = await shownOrders(client, [...store.orders.keys()]);
    expect({ at, ...shown }).toEqual({ at, ...modelOrders(store) });
  };
  const compareShopper = async (id: string, shopper: Shopper) => {
    await compareBalance(store, id);
    expect({ id, at, ...(await shownTier(client, id)) }).toEqual({ id, at, ...modelTier(store, id) });
    expect({ id, at, ...(await shownSums(client, id)) }).toEqual({ id, at, ...modelSums(shopper) });
  };
  const shoppers = [...store.shoppers].map(([id, shopper]) => compareShopper(id, shopper));
  await Promise.all([verify(at), compareOrders(), ...shoppers]);
}

async function verify(at: string): Promise<void> {
  const lines: string[] = [];
  const { ok } = await verifyLedger(service.deps.db, (line) => lines.push(line), [...ORDER_CHECKS, ...TIER_CHECKS]);
  expect({ at, ok, faults: lines.filter((line) => line.startsWith("FAIL")) }).toEqual({ at, ok: true, faults: [] });
}

test("a store's three years: every number is the model's, and the ledger is whole at each month's end", async () => {
  const firstYear = await firstYearFrom();
  const terms = termsFrom(firstYear);
  const driver = createDriver(service.client);
  const start = storeTime(firstYear, -1, "12-01T00:00");
  await driver.goTo(start);
  await apply(firstDocument(terms));
  await driver.sendProducts(start);
  const store = openStore(terms, start);

  let months = 0;
  async function passTo(at: Temporal.Instant): Promise<void> {
    for (; months < MONTHS && !isBefore(at, monthStart(firstYear, months + 1)); months++) {
      const end = monthStart(firstYear, months + 1);
      await driver.goTo(end);
      letPass(store, end);
      await compareAll(store);
    }
    await driver.goTo(at);
    letPass(store, at);
  }
  async function live(actions: readonly StoreAction[]): Promise<void> {
    for (const { at, together } of byTime(actions)) {
      await passTo(at);
      const outcomes = await driver.does(together, at);
      const expected = together.map((action) => enact(store, action));
      expect([at.toString(), together, outcomes]).toEqual([at.toString(), together, expected]);
      for (const id of new Set(together.map(({ shopper }) => shopper))) await compareBalance(store, id);
    }
  }

  const actions = [...plannedActions(firstYear), ...crowdActions(SEED, firstYear)];
  await live(actions.filter(({ at }) => isBefore(at, terms.changedAt)));
  await passTo(terms.changedAt);
  await apply(secondDocument());
  changeTerms(store);
  await compareAll(store);
  await live(actions.filter(({ at }) => !isBefore(at, terms.changedAt)));
  await passTo(monthStart(firstYear, MONTHS));

  expect(months).toBe(MONTHS);
  expect(Object.entries(whatHappened(store)).filter(([, count]) => count === 0)).toEqual([]);
}, 600_000);

function monthStart(firstYear: number, n: number): Temporal.Instant {
  return storeTime(firstYear, Math.floor(n / 12), `${String(1 + (n % 12)).padStart(2, "0")}-01T00:00`);
}
