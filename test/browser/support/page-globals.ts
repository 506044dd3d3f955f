/**
 * The few things of a page that the functions sent into it use. The tests are compiled without the names of the browser, so that no
 * code of the service can use one by mistake; inside a page `globalThis` has them all.
 */
export interface PageGlobals {
  readonly document: PageDocument;
  readonly NodeFilter: { readonly SHOW_TEXT: number };
  requestAnimationFrame(frame: () => void): void;
  getComputedStyle(element: PageElement): PageStyle;
  createImageBitmap(blob: Blob): Promise<{ readonly width: number; readonly height: number }>;
}

interface PageStyle {
  readonly fontFamily: string;
  readonly fontWeight: string;
}

export interface PageElement {
  readonly value?: string;
  readonly placeholder?: string;
  readonly innerText: string;
  checkVisibility(): boolean;
  closest(selector: string): PageElement | null;
  matches(selector: string): boolean;
}

interface PageDocument {
  readonly body: PageElement;
  readonly fonts: { readonly ready: Promise<unknown> };
  getAnimations(): readonly PageAnimation[];
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createTreeWalker(root: PageElement, what: number): { nextNode(): PageText | null };
  createElement(name: "canvas"): PageCanvas;
}

interface PageAnimation {
  readonly playState: string;
  readonly effect: { getComputedTiming(): { readonly iterations?: number } } | null;
}

interface PageText {
  readonly textContent: string;
  readonly parentElement: PageElement | null;
}

interface PageCanvas {
  width: number;
  height: number;
  getContext(kind: "2d", options: { willReadFrequently: boolean }): PagePen | null;
}

interface PagePen {
  font: string;
  textBaseline: string;
  clearRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: unknown, x: number, y: number): void;
  fillText(text: string, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}
