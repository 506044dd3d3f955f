import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type axe from "axe-core";
import type { CDPSession, Page } from "playwright-core";
import { isBlank } from "./is-blank.ts";
import { missingGlyphs } from "./missing-glyphs.ts";
import { rawDates } from "./raw-dates.ts";
import { settle } from "./settle.ts";
import type { PageWatch } from "./watch-page.ts";

const SCREENSHOTS = resolve(import.meta.dirname, "../../../test-results/screenshots");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** WCAG 2.2 AA, and practices beyond it that every page keeps to. */
const RULES: axe.RunOptions = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  rules: {
    region: { enabled: true },
    "empty-table-header": { enabled: true },
    "landmark-no-duplicate-banner": { enabled: true },
  },
  resultTypes: ["violations"],
  preload: false, // only the rule about sound and video needs it, and no page has any: it took a fifth of the time
};

/** Of each page, the connection over which pictures are taken and axe is sent: Playwright's own calls do more than is needed, which takes twice as long. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Looks at a page as a careful person would, keeps its picture as `<name>.png`, and throws with all that is wrong: it is blank, has
 * characters without a glyph or days in the form of machines, breaks a rule of WCAG 2.2 AA or has content outside
 * its landmarks, a second header of the page or a table header without a word, or did since it was opened, or last looked at, what `watchPage` notes.
 */
export async function lookAt(page: Page, watch: PageWatch, name: string): Promise<void> {
  await settle(page, watch);
  const picture = await pictureOf(page);
  await mkdir(SCREENSHOTS, { recursive: true });
  await writeFile(join(SCREENSHOTS, `${name}.png`), picture);
  const faults = [...watch.faults.splice(0), ...(await lastingFaults(page, watch))];
  const missing = await missingGlyphs(page);
  if (missing.length > 0) faults.push(`no glyph for ${missing.join(" ")}`);
  for (const text of await rawDates(page)) faults.push(`a day or month as machines write it: ${text}`);
  if (await isBlank(page, picture)) faults.push("the page is blank");
  if (faults.length > 0) throw new Error(`${name} (${page.url()}):\n${faults.join("\n")}`);
}

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** The whole page as a PNG, encoded fast. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await sessionOf(page);
  const { cssContentSize, cssLayoutViewport } = await session.send("Page.getLayoutMetrics");
  const { width, height } = cssContentSize;
  const { data } = await session.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: true,
    captureBeyondViewport: width > cssLayoutViewport.clientWidth || height > cssLayoutViewport.clientHeight,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  return Buffer.from(data, "base64");
}

/** Checks again, once the page is at rest, if there are faults: a message that fades away during a check has too little contrast. */
async function lastingFaults(page: Page, watch: PageWatch): Promise<string[]> {
  const faults = await accessibilityFaults(page);
  if (faults.length === 0) return faults;
  await settle(page, watch);
  return accessibilityFaults(page);
}

/** axe is sent into a page once: parsing its source for every look took most of a look's time. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) {
    const session = await sessionOf(page);
    await session.send("Runtime.evaluate", { expression: `${await readFile(AXE, "utf8")};0` });
  }
  const violations = await page.evaluate(async (options) => {
    const here = globalThis as unknown as { readonly axe: typeof axe }; // cast: runs inside the page
    return (await here.axe.run(options)).violations;
  }, RULES);
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary = "" }) => {
      return `  ${target.join(" ")}: ${failureSummary.replaceAll(/\s+/g, " ")}`;
    });
    return `axe ${id}: ${help}\n${places.join("\n")}`;
  });
}
