import type { Locator, Page } from "playwright-core";
import { waitUntil } from "../../support/wait-until.ts";

/** The name of an element, as a screen reader says it. */
const NAME_OF = `((one) => {
  const label = one.getAttribute("aria-label") ?? one.labels?.[0]?.innerText ?? one.innerText;
  return (label || document.getElementById(one.getAttribute("aria-labelledby"))?.innerText || "").trim();
})`;
const STOPS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";
const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
/** As long as a page waits for an answer of the service. */
const PATIENCE_MS = 30_000;
/** Each look reads the page's text: at once after one another they would take the processor from what is waited for. */
const LOOK_EVERY_MS = 50;
const PRESSES_MAX = 250;

/** What has the focus, as a screen reader names it; an empty text where nothing has it. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const one = document.activeElement;
    return one === null || one === document.body ? "" : ${NAME_OF}(one);
  })()`);
}

/** What is looked for: by the beginning of its name, or itself. */
type Place = string | Locator;

/** Whether no dialog is open that keeps the focus, or the one above all others has its name and the focus. A menu or the search is none of them. */
const HAS_FOCUS = `(() => {
  const last = [...document.querySelectorAll("[role=dialog][aria-modal=true]")].at(-1);
  return last === undefined || (last.hasAttribute("aria-labelledby") && last.contains(document.activeElement));
})()`;

/**
 * Waits until an open dialog, if there is one, has taken the focus for good. It takes it twice, a moment apart: a key between the two goes to a place
 * that loses the focus again, and what is typed there is lost. Once the dialog has its name, the second time is due before the next frames.
 */
async function dialogHasFocus(page: Page): Promise<void> {
  await waitUntil(() => page.evaluate<boolean>(HAS_FOCUS), PATIENCE_MS, LOOK_EVERY_MS);
  await page.evaluate(FRAMES);
}

/** Waits until there is what Tab shall come to. */
async function isThere(page: Page, place: Place): Promise<void> {
  if (typeof place !== "string") return await place.first().waitFor({ state: "attached" });
  const any = `[...document.querySelectorAll("${STOPS}")].some((one) => ${NAME_OF}(one).startsWith(${JSON.stringify(place)}))`;
  await waitUntil(() => page.evaluate<boolean>(any), PATIENCE_MS, LOOK_EVERY_MS);
}

/** Goes with Tab to something that is there or is to come; where a dialog is open, once that has taken the focus. */
export async function tabTo(page: Page, place: Place): Promise<void> {
  await isThere(page, place);
  await dialogHasFocus(page);
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    await page.keyboard.press("Tab");
    const hasIt =
      typeof place === "string"
        ? (await focused(page)).startsWith(place)
        : (await place.and(page.locator(":focus")).count()) > 0;
    if (hasIt) return;
  }
  throw new Error(`Tab does not come to ${String(place)}`);
}

/** Goes with Tab to a button, a link or a box and presses it. */
export async function press(page: Page, place: Place, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press(key);
}

/** Presses what has the focus in a dialog that asks once more. */
export async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
}

/** Goes with Tab to a field and types into it, over what stands there. */
export async function typeInto(page: Page, place: Place, text: string): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Goes with Tab to a list of choices and types the beginning of one. */
export async function choose(page: Page, place: Place, choice: string): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.type(choice);
}
