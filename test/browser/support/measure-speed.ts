import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { aggregateAll } from "../../support/aggregate-all.ts";
import { yen } from "../../support/explain.ts";
import { aggregateGrowthAll } from "../../support/growth-story.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signIn } from "../../support/staff.ts";
import { buildDashboard } from "./build-dashboard.ts";
import { launchChromium } from "./launch-chromium.ts";
import { seedMembers } from "./seed-members.ts";

// How soon the dashboard, as it is built, can be used on a slow machine. Run by scripts/speed.config.ts; figures, no limits.
const RUNS = Number(process.env["SPEED_RUNS"] ?? 3);
const CPU_RATE = 4;
const ORDERS = 60;
/** A person looks at a page; meanwhile it may fetch what comes next. */
const LOOK_MS = 3_000;
const PATIENCE_MS = 20_000;
const POLL_MS = 50;

/**
 * The state of a page. It can be used when its title is there, nothing of it is busy or a skeleton, what it requested is
 * answered, and all that is painted. The page that is left keeps its title until another is shown, so the title's element is compared.
 * Watching costs little: Playwright's own waiting for an element by its role runs in the page, four times slowed down, after each frame.
 */
const PROBE = `{
  const probe = (globalThis.probe = { tasks: [], open: 0, since: 0, before: null, usable: null });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) probe.tasks.push({ startTime, duration });
  }).observe({ type: "longtask", buffered: true });
  const isWhole = () => {
    const title = document.querySelector("main h1");
    return title !== null && title !== probe.before && probe.open === 0 &&
      document.querySelector("main [aria-busy=true], main [class*=Skeleton-root]") === null;
  };
  const look = () => {
    if (probe.usable !== null || !isWhole()) return;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        if (probe.usable === null && isWhole()) probe.usable = performance.now();
      };
      port2.postMessage(null);
    });
  };
  const fetchOf = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    probe.open += 1;
    const end = () => { probe.open -= 1; look(); };
    try {
      const response = await fetchOf(...given);
      const text = response.text.bind(response);
      response.text = () => text().finally(() => setTimeout(end));
      return response;
    } catch (error) {
      end();
      throw error;
    }
  };
  document.addEventListener("pointerdown", ({ timeStamp }) => {
    Object.assign(probe, { since: timeStamp, before: document.querySelector("main h1"), usable: null });
  }, { capture: true });
  globalThis.readProbe = () => {
    const { tasks, since, usable } = probe;
    if (usable === null) return null;
    const within = tasks.filter((task) => task.startTime + task.duration > since && task.startTime < usable);
    return { ms: usable - since, longestTask: Math.max(0, ...within.map(({ duration }) => duration)) };
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}`;

interface Shown {
  /** Until the page could be used: from the navigation of the browser, or from the press on the link. */
  readonly ms: number;
  readonly longestTask: number;
}

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  await buildDashboard();
  [service, browser] = await Promise.all([startTestService({ worker: false }), launchChromium("japanese", [])]);
  await seedMembers(service);
  await seedOrders(service);
  await aggregateAll(service.deps);
  await aggregateGrowthAll(service.deps);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** An order of each member. */
async function seedOrders({ client, deps, clock }: TestService): Promise<void> {
  const at = clock.now().toString();
  const events = Array.from({ length: ORDERS }, (_, n) => {
    const lines = [{ line_id: "a", title: "Sencha", quantity: 1, unit_price: yen(1_000 + n) }];
    const facts = { customer_id: String(7_000 + n), processed_at: at, shop_currency: "JPY", total: yen(1_000 + n) };
    const payload = { ...facts, order_id: String(5_000 + n), order_name: `#${5_000 + n}`, lines };
    return { type: "OrderPlaced", occurred_at: at, payload };
  });
  expect((await client.post("/intake/events", events)).status).toBe(202);
  await processAllReceipts(deps);
}

async function openContext(cookie: string): Promise<BrowserContext> {
  const [name = "", value = ""] = cookie.split("=", 2);
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name, value, domain: new URL(service.url).hostname, path: "/admin" }]);
  return context;
}

async function openThrottled(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(PROBE);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
  return page;
}

async function whenUsable(page: Page): Promise<Shown> {
  const endMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endMs) {
    const shown = await page.evaluate<Shown | null>("globalThis.readProbe?.() ?? null").catch(() => null); // the page may change just now
    if (shown !== null) return shown;
    await delay(POLL_MS);
  }
  throw new Error(`${page.url()} was not shown`);
}

async function load(page: Page, path: string): Promise<Shown> {
  await page.goto(`${service.url}/admin${path}`, { waitUntil: "commit" });
  return whenUsable(page);
}

/** Presses a link of the navigation as soon as the pointer is on it. */
async function press(page: Page, path: string): Promise<Shown> {
  const link = page.locator(`header nav a[href="/admin${path}"]`).first();
  await link.scrollIntoViewIfNeeded(); // the last ones are below the window
  const box = await link.boundingBox();
  if (box === null) throw new Error(`no link leads to ${path}`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  return whenUsable(page);
}

/** What the navigation leads to, for an owner. */
async function linkedPaths(page: Page): Promise<string[]> {
  const links = await page.locator("header nav a").evaluateAll((all) => all.map((one) => Object(one).pathname));
  return [...new Set(links.map((path) => String(path).replace(/^\/admin/, "") || "/"))];
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

/** The median and, in brackets, the least, which others on the machine disturb little. */
function figure(values: readonly number[]): string {
  return `${median(values)} (${Math.round(Math.min(...values))})`;
}

function figures(shown: readonly Shown[]): string {
  return `${figure(shown.map(({ ms }) => ms))} | ${figure(shown.map(({ longestTask }) => longestTask))}`;
}

test("the list of customers with an empty cache, and from there the ledger for the first time", async () => {
  const { cookie } = await signIn(service, "manager");
  const visits: { first: Shown; next: Shown }[] = [];
  for (let run = 0; run < RUNS; run++) {
    const context = await openContext(cookie);
    const page = await openThrottled(context);
    const first = await load(page, "/customers");
    await page.waitForTimeout(LOOK_MS);
    visits.push({ first, next: await press(page, "/ledger") });
    await context.close();
  }
  process.stdout.write(
    `CPU ${CPU_RATE}x, median (least) of ${RUNS}, usable after ms | longest task: /customers ${figures(visits.map(({ first }) => first))}, ` +
      `from there /ledger ${figures(visits.map(({ next }) => next))}\n`,
  );
}, 120_000);

test("each page of the navigation: opened with an empty cache, and come to from the customers for the first time", async () => {
  const { cookie } = await signIn(service, "owner");
  const found = new Map<string, { first: Shown[]; next: Shown[] }>();
  for (let run = 0; run < RUNS; run++) {
    const context = await openContext(cookie);
    const page = await openThrottled(context);
    await load(page, "/customers");
    const paths = await linkedPaths(page);
    for (const path of paths) if (run === 0) found.set(path, { first: [], next: [] });
    await page.waitForTimeout(LOOK_MS);
    for (const path of paths.filter((one) => one !== "/customers")) {
      found.get(path)?.next.push(await press(page, path));
      await press(page, "/customers");
    }
    await context.close();
    for (const path of paths) {
      const alone = await openContext(cookie);
      found.get(path)?.first.push(await load(await openThrottled(alone), path));
      await alone.close();
    }
  }
  const rows = [...found].map(
    ([path, { first, next }]) => `| \`${path}\` | ${figures(first)} | ${next.length === 0 ? " | " : figures(next)} |`,
  );
  process.stdout.write(
    `\nCPU ${CPU_RATE}x, median (least) of ${RUNS}: usable after ms | longest task\n${rows.join("\n")}\n`,
  );
}, 600_000);
