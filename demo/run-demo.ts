import { sumBalances } from "./balances.ts";
import { checkDeliveries, waitForDeliveries } from "./check-deliveries.ts";
import { createClient, type DemoClient } from "./client.ts";
import { readLedger, sumLedger } from "./ledger.ts";
import type { DemoOptions } from "./options.ts";
import { summary } from "./orders.ts";
import { postRecorded } from "./post-recorded.ts";
import { CAMPAIGN } from "./program.ts";
import { count, startProgress } from "./progress.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { type Check, checkLines, ledgerRows, type Row, section } from "./report.ts";
import { createDice } from "./season/dice.ts";
import { planSeason } from "./season/plan-season.ts";
import { runSeason, type SeasonResult, seasonStart, stepsOf } from "./season/run-season.ts";
import { sendStories } from "./send-stories.ts";
import { applyProgram, requestExport, sendProducts, subscribe } from "./set-up.ts";
import { checkShop } from "./shop/check-shop.ts";
import { startShop } from "./shop/start-shop.ts";
import { showCustomer } from "./show-customer.ts";
import { type DemoService, startService } from "./start-service.ts";
import { readStatement } from "./statement.ts";
import { until } from "./until.ts";

/** Registers how to stop what a part of the demo started; called in reverse order. */
type OnEnd = (stop: () => Promise<unknown>) => void;

const EXPORT_MS = 60_000;
const SHOPPERS = 12;

/** The environment of a demo: a separate folder, its output, and the registration of what to stop. */
export interface DemoStage {
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly onEnd: OnEnd;
}

/** Runs the complete demo and prints its progress; returns whether every check succeeded. Throws DemoError. */
export async function runDemo(options: DemoOptions, { folder, print, onEnd }: DemoStage): Promise<boolean> {
  const step = (name: string, result: string) => print(`  ${name.padEnd(12)}${result}\n`);
  const startedMs = performance.now();
  print(`\nPointkeeper's demo: ${count(options.customers)} customers with ${count(options.ordersEach)} orders each`);
  print(` in ${count(options.days)} days (seed ${options.seed})\n\n`);

  const { service, client, receiver } = await open(folder, onEnd);
  step("service", `answers at ${service.url} after ${seconds(startedMs)}`);
  step("program", `version ${await applyProgram(service, folder)}: three tiers, "${CAMPAIGN}", a bonus collection`);
  await subscribe(client, receiver);
  step("receiver", "subscribed to the three topics");
  step("recorded", `${await postRecorded(client)} payloads recorded of Shopify were taken`);
  const stories = await sendStories(client);
  step("stories", `${stories.stories} orders' whole lives in ${stories.messages} messages`);
  await sendProducts(client);
  const season = await playSeason(options, client);
  step("season", `${count(season.messages)} messages in ${(season.tookMs / 1_000).toFixed(1)} s`);

  const ledger = await readLedger(client);
  await waitForDeliveries(receiver, ledger);
  const statement = readStatement(await fetchExport(client, receiver));
  step("export", `a statement of ${count(statement.customers)} customers was fetched`);
  const sums = sumLedger(ledger);
  const balances = await sumBalances(client, [...season.customerIds, ...stories.customerIds]);
  const rows = ledgerRows(ledger, sums);
  print(section("Customers", customerRows(season)));
  print(section("Allotments", rows.allotments));
  print(section("Points", rows.points));
  const best = await showCustomer(client, season.bestId);
  print(section(best.title, best.rows));
  print(section("Traffic", trafficRows(season, receiver, client)));

  const shop = await startShop(service, shoppers(season), onEnd);
  step("storefront", `the tea shop's pages are at ${shop.url}`);
  const shopCheck = await checkShop(client, { shop, service: service.url, customerId: season.bestId });
  if (options.storefront) {
    print(`\nOpen ${shop.url} in a browser; the service is at ${service.url}. Ctrl-C ends the demo.\n`);
    await new Promise(() => {}); // until a signal
  }

  const exitCode = await service.stop();
  const verified = await service.command(["verify"]);
  const lines = verified.output.trimEnd().split("\n");
  print(`\nverify\n${lines.map((line) => `  ${line}\n`).join("")}`);
  const checks: readonly Check[] = [
    { name: "every story came to the points worked out by hand", fault: summary(stories.faults) },
    {
      name: `all ${count(season.expected.size)} orders of the season came to their points`,
      fault: summary(season.faults),
    },
    equal("the balances add up to the allotments", balances, sums.outstanding),
    equal("the statement closes with the same points", statement.closing, sums.outstanding),
    ...checkDeliveries(receiver, ledger),
    shopCheck,
    { name: "the service stopped in good order", fault: exitCode === 0 ? "" : `it exited with ${exitCode}` },
    { name: "verify is clean", fault: verified.code === 0 ? "" : "see above" },
  ];
  print(`\nWhat must hold\n${checkLines(checks)}\n`);
  const isRight = checks.every(({ fault }) => fault === "");
  print(`${isRight ? "Everything holds" : "Not everything holds"}, after ${seconds(startedMs)}.\n`);
  return isRight;
}

async function open(
  folder: string,
  onEnd: OnEnd,
): Promise<{ service: DemoService; client: DemoClient; receiver: Receiver }> {
  const receiver = await startReceiver();
  onEnd(() => receiver.close());
  const service = await startService(folder, onEnd);
  const client = createClient(service.url);
  onEnd(() => client.close());
  return { service, client, receiver };
}

interface PlayedSeason extends SeasonResult {
  readonly customerIds: readonly string[];
  readonly tookMs: number;
}

async function playSeason(
  { customers, ordersEach, days, seed }: DemoOptions,
  client: DemoClient,
): Promise<PlayedSeason> {
  const dice = createDice(seed);
  const planned = planSeason(dice, { customers, ordersEach }, seasonStart(days));
  const progress = startProgress("season", stepsOf(planned));
  const startedMs = performance.now();
  try {
    const result = await runSeason({ client, dice, days, progress }, planned);
    return { ...result, customerIds: planned.map(({ spec }) => spec.id), tookMs: performance.now() - startedMs };
  } finally {
    progress.end();
  }
}

/** The customers who can sign in at the shop: the best customer, and some others. */
function shoppers({ bestId, customerIds }: PlayedSeason): readonly string[] {
  return [...new Set([bestId, ...customerIds])].slice(0, SHOPPERS);
}

/** The receiver gets the file as a URL, which is valid for an hour. */
async function fetchExport(client: DemoClient, receiver: Receiver): Promise<string> {
  await requestExport(client);
  await until(EXPORT_MS, () => receiver.files.length > 0);
  const [address] = receiver.files;
  return address === undefined ? "" : await client.fetchText(address);
}

function customerRows({ customerIds, customersOf }: PlayedSeason): Row[] {
  const tiers = [...customersOf].map(([tier, n]): Row => [`  ${tier}`, count(n)]);
  return [["of the season", count(customerIds.length)], ...tiers];
}

function trafficRows(season: PlayedSeason, receiver: Receiver, client: DemoClient): Row[] {
  const perSecond = season.messages / (season.tookMs / 1_000);
  return [
    ["events of the season", count(season.messages), `${count(perSecond)} per second, until each was processed`],
    ["  sent twice", count(season.repeated)],
    ["  orders out of order", count(season.shuffled)],
    ["coupons issued", count(season.coupons)],
    ["requests answered", count(client.requests)],
    ...[...receiver.deliveries].map(([topic, { size }]): Row => [`got ${topic}`, count(size)]),
  ];
}

function equal(name: string, found: bigint, expected: bigint): Check {
  return { name, fault: found === expected ? "" : `${count(found)} points, not ${count(expected)}` };
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;
}
