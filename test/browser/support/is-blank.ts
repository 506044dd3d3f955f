import type { Page } from "playwright-core";
import type { PageGlobals } from "./page-globals.ts";

/** Of all points, this many parts at least have another colour than the most frequent one. */
const DRAWN_PART_MIN = 0.002;

/** Whether a picture (PNG) of a page shows next to nothing. Looked at in a page of its own, whose policy is not the service's. */
export async function isBlank(page: Page, picture: Buffer): Promise<boolean> {
  const scratch = await page.context().newPage();
  try {
    return (await scratch.evaluate(drawnPart, picture.toString("base64"))) < DRAWN_PART_MIN;
  } finally {
    await scratch.close();
  }
}

async function drawnPart(base64: string): Promise<number> {
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
  for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  return 1 - Math.max(...counts.values()) / points.length;
}
