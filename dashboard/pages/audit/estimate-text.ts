import type { Format } from "../../ui/values/format.ts";

const MONTHS_OF_YEAR = 12;
/** Parts of a percent, and of a point's price, in which an estimate of points is stored. */
const BPS = 100;
const MILLIONTHS = 1_000_000;

/** Formats a number of an estimate of points, which stores months as their number (0: all), as the liability page does; null: another field. */
export function estimateText(field: string, value: number, format: Format, allMonths: string): string | null {
  if (field === "redemption_bps") return format.percentText(String(value / BPS));
  if (field === "point_price_millionths") return format.price((value / MILLIONTHS).toFixed(6));
  if (field !== "month" && field !== "cohort") return null;
  if (value === 0) return allMonths;
  const year = Math.floor(value / MONTHS_OF_YEAR);
  return format.month(`${year}-${String((value % MONTHS_OF_YEAR) + 1).padStart(2, "0")}`);
}
