/** What a browser says of itself, as far as a person recognises it; null: it is not said, or unknown. */
export interface DeviceName {
  readonly browser: string | null;
  readonly system: string | null;
}

// Browsers name one another: the first that fits is what it is.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Reads a `user-agent` header. It is what the browser says, and no proof of anything. */
export function deviceName(userAgent: string | null): DeviceName {
  const nameIn = (list: typeof BROWSERS) =>
    userAgent === null ? null : (list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null);
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
