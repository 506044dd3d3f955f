import { refusalInJapanese } from "./refusals-ja.ts";

/** A text of the service as the page says it. Called outside components too, so the page itself tells its language. */
export function sayRefusal(text: string): string {
  return document.documentElement.lang === "ja"
    ? refusalInJapanese(text)
    : text.charAt(0).toUpperCase() + text.slice(1);
}
