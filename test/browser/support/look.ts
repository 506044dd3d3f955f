import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { isBlank } from "./is-blank.ts";
import { missingGlyphs } from "./missing-glyphs.ts";
import { rawDates } from "./raw-dates.ts";
import { settle } from "./settle.ts";
import type { PageWatch } from "./watch-page.ts";

const SCREENSHOTS = resolve(import.meta.dirname, "../../../test-results/screenshots");
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

/**
 * Looks at a page as a careful person would, keeps its picture as `<name>.png`, and throws with all that is wrong: it is blank, has
 * characters without a glyph or days in the form of machines, breaks a rule of WCAG 2.2 AA or has content outside
 * its landmarks, a second header of the page or a table header without a word, or did since it was opened, or last looked at, what `watchPage` notes.
 */
export async function lookAt(page: Page, watch: PageWatch, name: string): Promise<void> {
  await settle(page, watch);
  const picture = await page.screenshot({ fullPage: true, animations: "disabled" });
  await mkdir(SCREENSHOTS, { recursive: true });
  await writeFile(join(SCREENSHOTS, `${name}.png`), picture);
  const faults = [...watch.faults.splice(0), ...(await lastingFaults(page, watch))];
  const missing = await missingGlyphs(page);
  if (missing.length > 0) faults.push(`no glyph for ${missing.join(" ")}`);
  for (const text of await rawDates(page)) faults.push(`a day or month as machines write it: ${text}`);
  if (await isBlank(page, picture)) faults.push("the page is blank");
  if (faults.length > 0) throw new Error(`${name} (${page.url()}):\n${faults.join("\n")}`);
}

/** Checks again, once the page is at rest, if there are faults: a message that fades away during a check has too little contrast. */
async function lastingFaults(page: Page, watch: PageWatch): Promise<string[]> {
  const faults = await accessibilityFaults(page);
  if (faults.length === 0) return faults;
  await settle(page, watch);
  return accessibilityFaults(page);
}

/** axe is injected into a page once: parsing its source for every look took most of a look's time. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
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
