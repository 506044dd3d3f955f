import type { Money } from "./service.ts";
import type { Language } from "./words.ts";

export interface Format {
  points(value: number): string;
  money(value: Money, times?: number): string;
  /** The last day on which something holds that ends at an instant, as a day of the store. */
  lastDay(instant: string): string;
  /** Date and time where the customer is. */
  time(instant: string): string;
}

/** Numbers, money and dates as a language writes them; days are those of the store, wherever the customer is. */
export function formatOf(language: Language, timeZone: string): Format {
  const points = new Intl.NumberFormat(language);
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone });
  const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return {
    points: (value) => points.format(value),
    money: ({ amount, currency }, times = 1) =>
      new Intl.NumberFormat(language, { style: "currency", currency }).format(Number(amount) * times),
    lastDay: (instant) => days.format(msOf(instant) - 1),
    time: (instant) => times.format(msOf(instant)),
  };
}

/** Microseconds are cut: not every browser reads them. */
function msOf(instant: string): number {
  return Date.parse(instant.replace(/(\.\d{3})\d+/, "$1"));
}
