/**
 * SQL for the UTC day from which the expiry of a balance's lots without a date of their own counts where it slides: that of the last
 * extending activity, or of the oldest such lot where that is later; null: it has none.
 */
export function expiryDay(activeAt: string, oldestSince: string): string {
  return `case when ${oldestSince} is not null then (greatest(${activeAt}, ${oldestSince}) at time zone 'UTC')::date end`;
}
