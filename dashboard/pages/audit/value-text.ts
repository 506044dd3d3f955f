import type { Format } from "../../ui/values/format.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Formats times, days and months as everywhere else; any other text is unchanged. */
export function valueText(value: string, format: Format): string {
  if (INSTANT.test(value)) return format.exact(value);
  if (DAY.test(value)) return format.day(value);
  return MONTH.test(value) ? format.month(value) : value;
}
