const WARN_DAYS = 21;
const HOURS_A_DAY = 24;

/** Returns in how many whole days a certificate ends, where that is soon; null: it is not, or not known. `validTo` as Node writes it. */
export function daysLeftSoon(validTo: string, now: Temporal.Instant): number | null {
  const endsMs = Date.parse(validTo);
  if (Number.isNaN(endsMs)) return null;
  const days = Math.floor(Temporal.Instant.fromEpochMilliseconds(endsMs).since(now).total("hours") / HOURS_A_DAY);
  return days < WARN_DAYS ? Math.max(0, days) : null;
}
