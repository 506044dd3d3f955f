import type { Page } from "playwright-core";
import type { PageElement, PageGlobals } from "./page-globals.ts";

/** A day or a month as machines write them; digits beside it would make it a part of an id. */
const RAW = String.raw`(?<![\w./-])\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2})?(?![\w-]*-)(?!\d)`;
/** What shows a text as it is: code, what is marked as not to be translated, such as cells of somebody's file, and in which form a file has its days. */
const VERBATIM = "code, pre, textarea, script, style, [translate=no], [data-form-of-file]";

/** The days and months that a page shows in the form of machines (`2026-03-01`, `2026-03`): people read them in their language's. */
export async function rawDates(page: Page): Promise<string[]> {
  return await page.evaluate(findRawDates, { raw: RAW, verbatim: VERBATIM });
}

/** Sent into the page as it is, so it uses nothing from outside. */
function findRawDates({ raw, verbatim }: { readonly raw: string; readonly verbatim: string }): string[] {
  const { document, NodeFilter } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  const isShown = (element: PageElement) => element.matches("option") || element.checkVisibility();
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const { parentElement, textContent } = text;
    if (parentElement === null || parentElement.closest(verbatim) !== null || !isShown(parentElement)) continue;
    if (new RegExp(raw).test(textContent)) found.push(textContent.trim());
  }
  return found;
}
