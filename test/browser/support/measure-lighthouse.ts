import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aggregateAll } from "../../support/aggregate-all.ts";
import { freePort } from "../../support/free-port.ts";
import { aggregateGrowthAll } from "../../support/growth-story.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signIn } from "../../support/staff.ts";
import { buildDashboard } from "./build-dashboard.ts";
import { launchChromium } from "./launch-chromium.ts";
import { seedMembers } from "./seed-members.ts";

// What Lighthouse says of the main pages. Run by scripts/lighthouse.config.ts, with a network: npx fetches Lighthouse where it is not there.
const LIGHTHOUSE = "lighthouse@13.5.0";
const REPORTS = resolve(import.meta.dirname, "../../../test-results/lighthouse");
const SCORE_MIN = 95;
const PATIENCE_MS = 600_000;
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const; // no search engine may list the pages
const ALL_PAGES = ["/", "/customers", "/customers/7000", "/ledger", "/orders", "/program", "/growth", "/webhooks"];
/** A desktop, or a telephone with a quarter of the speed and a slow network. */
const FORM = process.env["LIGHTHOUSE_FORM"] === "mobile" ? "mobile" : "desktop";
/** Below these a category fails; how fast a telephone is depends on the machine that plays it, and is only said. */
const MINIMUM = {
  performance: FORM === "desktop" ? SCORE_MIN : 0,
  accessibility: SCORE_MIN,
  "best-practices": SCORE_MIN,
};
/** Some pages alone, as `LIGHTHOUSE_PAGES=/,/orders`. */
const PAGES = process.env["LIGHTHOUSE_PAGES"]?.split(",") ?? ALL_PAGES;

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}

let service: TestService;
let browser: Browser;
let port: number;
beforeAll(async () => {
  await buildDashboard();
  port = await freePort();
  service = await startTestService({ worker: false });
  browser = await launchChromium("japanese", [`--remote-debugging-port=${port}`]);
  await seedMembers(service);
  await aggregateAll(service.deps);
  await aggregateGrowthAll(service.deps);
  await mkdir(REPORTS, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** One visit of a page. */
async function reportOf(path: string, cookie: string): Promise<Report> {
  const file = join(REPORTS, `${FORM}${path.replaceAll("/", "-")}.json`);
  const options = [
    ...(FORM === "desktop" ? ["--preset=desktop"] : ["--form-factor=mobile"]),
    ...[`--port=${port}`, "--quiet", "--output=json", `--output-path=${file}`],
    ...[`--only-categories=${CATEGORIES.join(",")}`, `--extra-headers=${JSON.stringify({ cookie })}`],
  ];
  const url = `${service.url}/admin${path}`;
  await promisify(execFile)("npx", ["--yes", `--package=${LIGHTHOUSE}`, "lighthouse", url, ...options]);
  return JSON.parse(await readFile(file, "utf8"));
}

test(`the main pages on a ${FORM} have ${SCORE_MIN} and more`, { timeout: PATIENCE_MS }, async () => {
  const { cookie } = await signIn(service, "manager");
  const low: string[] = [];
  for (const path of PAGES) {
    const { categories, audits } = await reportOf(path, cookie);
    const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const);
    process.stdout.write(`${path}: ${scores.map(([name, score]) => `${name} ${score}`).join(", ")}\n`);
    const failed = Object.values(audits).filter(({ score }) => score !== null && score < 0.9);
    const why = failed.map(({ title }) => title).join("; ");
    low.push(
      ...scores.filter(([name, score]) => score < MINIMUM[name]).map((one) => `${path} ${one.join(" ")}: ${why}`),
    );
  }
  expect(low).toEqual([]);
});
