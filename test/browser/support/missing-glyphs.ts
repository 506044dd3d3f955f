import type { Page } from "playwright-core";
import type { PageElement, PageGlobals } from "./page-globals.ts";

/**
 * The characters that a page shows, or has in its fields, for which no font has a glyph: each is drawn, and looks as one does that
 * no font can have. Sent into the page as it is, so it uses nothing from outside.
 */
export async function missingGlyphs(page: Page): Promise<string[]> {
  return await page.evaluate(findMissing);
}

function findMissing(): string[] {
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
  return [...charactersOf].flatMap(([font, characters]) => {
    const boxes = new Set(IN_NO_FONT.map((character) => pictureOf(font, character)));
    return [...characters].filter((character) => boxes.has(pictureOf(font, character)));
  });
}
