/** The names of browser and system that a person recognises; null where the browser does not send them, or they are unknown. */
export interface DeviceName {
  readonly browser: string | null;
  readonly system: string | null;
}

// Browsers include each other's names, so the first match decides.
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

/** Parses a `user-agent` header. The browser may send anything, so it proves nothing. */
export function deviceName(userAgent: string | null): DeviceName {
  const nameIn = (list: typeof BROWSERS) =>
    userAgent === null ? null : (list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null);
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
