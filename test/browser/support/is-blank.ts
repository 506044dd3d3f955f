import type { Browser, Page } from "playwright-core";
import type { PageGlobals } from "./page-globals.ts";

/** Of all points, this many parts at least have another colour than the most frequent one. */
const DRAWN_PART_MIN = 0.002;

/** Every seventh pixel is counted: enough for a share. */
const STEP = 7;
/** A picture of one colour takes less than 0.02 bytes a point as they are encoded here, and each point that differs no more than its colour and place, 12 bytes. */
const BLANK_BYTES_A_POINT_MAX = 0.02 + 12 * DRAWN_PART_MIN;
/** A page of each browser that decodes pictures; it is not the service's, whose content security policy would refuse it. */
const scratchPages = new WeakMap<Browser, Promise<Page>>();

/** Whether a picture (PNG) of a page shows next to nothing. */
export async function isBlank(page: Page, picture: Buffer): Promise<boolean> {
  if (picture.length > BLANK_BYTES_A_POINT_MAX * pointsOf(picture)) return false;
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser any more");
  const scratch = scratchPages.get(browser) ?? browser.newPage();
  scratchPages.set(browser, scratch);
  const part = await (await scratch).evaluate(drawnPart, { base64: picture.toString("base64"), step: STEP });
  return part < DRAWN_PART_MIN;
}

/** Width times height, which stand at the beginning of a PNG. */
function pointsOf(picture: Buffer): number {
  return picture.readUInt32BE(16) * picture.readUInt32BE(20);
}

async function drawnPart({ base64, step }: { base64: string; step: number }): Promise<number> {
  const { document, createImageBitmap } = globalThis as unknown as PageGlobals; // cast: runs inside the page
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("the page cannot draw");
  pen.drawImage(image, 0, 0);
  const points = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map<number, number>();
  let seen = 0;
  for (let i = 0; i < points.length; i += step) {
    const point = points[i] ?? 0;
    counts.set(point, (counts.get(point) ?? 0) + 1);
    seen++;
  }
  return 1 - Math.max(...counts.values()) / seen;
}
