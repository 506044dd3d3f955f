import type { Browser, Page } from "playwright-core";
import type { PageElement, PageGlobals } from "./page-globals.ts";

/**
 * The characters that a page shows, or has in its fields, for which no font has a glyph: each is drawn, and looks as one does that
 * no font can have. Sent into the page as it is, so it uses nothing from outside.
 */
export async function missingGlyphs(page: Page): Promise<string[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser any more");
  const drawn = drawnIn.get(browser) ?? new Set<string>();
  drawnIn.set(browser, drawn);
  const { missing, present } = await page.evaluate(findMissing, [...drawn]);
  for (const glyph of present) drawn.add(glyph);
  return missing;
}

/** By browser, the fonts and characters that were found to have a glyph: none is drawn twice. */
const drawnIn = new WeakMap<Browser, Set<string>>();

function findMissing(drawn: readonly string[]): { missing: string[]; present: string[] } {
  const { document, getComputedStyle, NodeFilter } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  const SIZE = 32;
  const IN_NO_FONT = ["\u{e5f1}", "\u{10fffd}"];
  const canvas = document.createElement("canvas");
  canvas.width = SIZE * 2;
  canvas.height = SIZE * 2;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("the page cannot draw");

  const charactersOf = new Map<string, Set<string>>();
  const note = (element: PageElement, text: string) => {
    if (!element.checkVisibility()) return;
    const { fontFamily, fontWeight } = getComputedStyle(element);
    const font = `${fontWeight} ${SIZE}px ${fontFamily}`;
    const characters = charactersOf.get(font) ?? new Set();
    for (const character of text) if (!/[\s\p{Cf}\p{Cc}\p{M}]/u.test(character)) characters.add(character);
    charactersOf.set(font, characters);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode())
    if (text.parentElement !== null) note(text.parentElement, text.textContent);
  for (const field of document.querySelectorAll("input, textarea"))
    note(field, `${field.value ?? ""}${field.placeholder ?? ""}`);

  const pictureOf = (font: string, character: string) => {
    pen.clearRect(0, 0, SIZE * 2, SIZE * 2);
    pen.font = font;
    pen.textBaseline = "top";
    pen.fillText(character, SIZE / 4, SIZE / 4);
    return pen.getImageData(0, 0, SIZE * 2, SIZE * 2).data.join();
  };
  const known = new Set(drawn);
  const missing: string[] = [];
  const present: string[] = [];
  for (const [font, characters] of charactersOf) {
    const unknown = [...characters].filter((character) => !known.has(font + character));
    if (unknown.length === 0) continue;
    const boxes = new Set(IN_NO_FONT.map((character) => pictureOf(font, character)));
    for (const character of unknown) {
      if (boxes.has(pictureOf(font, character))) missing.push(character);
      else present.push(font + character);
    }
  }
  return { missing, present };
}
