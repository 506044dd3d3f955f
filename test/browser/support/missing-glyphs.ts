import type { Browser, Page } from "playwright-core";
import type { PageElement, PageGlobals } from "./page-globals.ts";

/** By browser and font, the characters that were found to have a glyph: none is drawn twice. */
const drawnIn = new WeakMap<Browser, Map<string, Set<string>>>();

/** A font, as a canvas takes it, and characters that a page shows in it. */
type Shown = readonly [font: string, characters: readonly string[]];

/**
 * The characters that a page shows, or has in its fields, for which no font has a glyph: each is drawn, and looks as one does that
 * no font can have.
 */
export async function missingGlyphs(page: Page): Promise<string[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser any more");
  const drawn = drawnIn.get(browser) ?? new Map<string, Set<string>>();
  drawnIn.set(browser, drawn);
  const unknown: Shown[] = [];
  for (const [font, characters] of await page.evaluate(shownCharacters)) {
    const known = drawn.get(font);
    const others = [...characters].filter((character) => known?.has(character) !== true);
    if (others.length > 0) unknown.push([font, others]);
  }
  if (unknown.length === 0) return [];
  const missing = new Set(await page.evaluate(findMissing, unknown));
  for (const [font, characters] of unknown)
    drawn.set(
      font,
      new Set(characters.filter((character) => !missing.has(character))).union(drawn.get(font) ?? new Set()),
    );
  return [...missing];
}

/** Sent into the page as it is, as is the one below, so it uses nothing from outside. */
function shownCharacters(): [font: string, characters: string][] {
  const { document, getComputedStyle, NodeFilter } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  const charactersOf = new Map<string, Set<string>>();
  const note = (element: PageElement, text: string) => {
    if (!element.checkVisibility()) return;
    const { fontFamily, fontWeight } = getComputedStyle(element);
    const font = `${fontWeight} 32px ${fontFamily}`;
    const characters = charactersOf.get(font) ?? new Set();
    for (const character of text) characters.add(character);
    charactersOf.set(font, characters);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode())
    if (text.parentElement !== null) note(text.parentElement, text.textContent);
  for (const field of document.querySelectorAll("input, textarea"))
    note(field, `${field.value ?? ""}${field.placeholder ?? ""}`);
  return [...charactersOf].map(([font, characters]) => [
    font,
    [...characters].filter((character) => !/[\s\p{Cf}\p{Cc}\p{M}]/u.test(character)).join(""),
  ]);
}

function findMissing(shown: readonly Shown[]): string[] {
  const { document } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  const SIDE = 64;
  const IN_NO_FONT = ["\u{e5f1}", "\u{10fffd}"];
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("the page cannot draw");
  const pictureOf = (font: string, character: string) => {
    pen.clearRect(0, 0, SIDE, SIDE);
    pen.font = font;
    pen.textBaseline = "top";
    pen.fillText(character, SIDE / 8, SIDE / 8);
    return pen.getImageData(0, 0, SIDE, SIDE).data.join();
  };
  const missing: string[] = [];
  for (const [font, characters] of shown) {
    const boxes = new Set(IN_NO_FONT.map((character) => pictureOf(font, character)));
    for (const character of characters) if (boxes.has(pictureOf(font, character))) missing.push(character);
  }
  return missing;
}
