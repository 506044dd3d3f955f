import type { Format } from "../../ui/values/format.ts";

const MONTHS_OF_YEAR = 12;
/** Parts of a percent in which an estimate of points is stored. */
const BPS = 100;
/** A point's price is stored in millionths of the currency's minor unit. */
const MILLIONTHS_PLACES = 6;

/**
 * Formats a number of an estimate of points, which stores months as their number (0: all), as the liability page does; null: another field. `places`: of
 * the store's currency.
 */
export function estimateText(
  field: string,
  value: number,
  { format, places, allMonths }: { format: Format; places: number; allMonths: string },
): string | null {
  if (field === "redemption_bps") return format.percentText(String(value / BPS));
  if (field === "point_price_millionths") {
    const digits = places + MILLIONTHS_PLACES;
    return format.price((value / 10 ** digits).toFixed(digits));
  }
  if (field !== "month" && field !== "cohort") return null;
  if (value === 0) return allMonths;
  const year = Math.floor(value / MONTHS_OF_YEAR);
  return format.month(`${year}-${String((value % MONTHS_OF_YEAR) + 1).padStart(2, "0")}`);
}
