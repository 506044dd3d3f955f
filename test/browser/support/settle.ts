import type { Page } from "playwright-core";
import { waitUntil } from "../../support/wait-until.ts";
import type { PageGlobals } from "./page-globals.ts";
import type { PageWatch } from "./watch-page.ts";

/**
 * Looks in a row that find a page at rest: between two of its requests it may seem so for a frame or two, and one without a word is
 * most likely still to come (React keeps the place of what it waits for empty for a third of a second).
 */
const LOOKS = { worded: 3, wordless: 60 };

/** Waits until a page is at rest: everything that it asked for is there, no skeleton stands for something, nothing moves. */
export async function settle(page: Page, watch: PageWatch): Promise<void> {
  let looks = 0;
  await waitUntil(async () => {
    const { isStill, isWorded } = await page.evaluate(restOf);
    looks = isStill && watch.inFlight.size === 0 ? looks + 1 : 0;
    return looks >= (isWorded ? LOOKS.worded : LOOKS.wordless);
  });
}

async function restOf(): Promise<{ isStill: boolean; isWorded: boolean }> {
  const { document, requestAnimationFrame } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  await document.fonts.ready;
  await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  const isMoving = document.getAnimations().some(({ playState, effect }) => {
    const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
    return playState === "running" && !isEndless;
  });
  const isStill = !isMoving && document.querySelector("[aria-busy=true], [class*=Skeleton-root]") === null;
  return { isStill, isWorded: document.body.innerText.trim() !== "" };
}
