import { TIME_ZONE } from "./wallet-model.ts";

/** A customer's birthday and what was paid for it, written from program.md 4 (Rewards) alone. */
export interface Birthdays {
  month: number;
  day: number;
  toldAt: Temporal.Instant;
  /** Of the last one paid; null: none yet. */
  paidAt: Temporal.Instant | null;
  /** Whether the date was changed since one was paid. */
  isChanged: boolean;
}

/** `1990-05-17` or `--05-17`. */
export function changeBirthday(known: Birthdays | null, birthday: string, now: Temporal.Instant): Birthdays {
  const [month = 0, day = 0] = birthday.split("-").slice(-2).map(Number);
  if (known === null) return { month, day, toldAt: now, paidAt: null, isChanged: false };
  if (known.month === month && known.day === day) return known;
  return { month, day, toldAt: now, paidAt: known.paidAt, isChanged: known.paidAt !== null };
}

/** Whether the day that starts at `midnight` is to be rewarded; one reported on the day itself waits for the next year. */
export function isRewarded(birthdays: Birthdays, midnight: Temporal.Instant): boolean {
  const { month, day, inLeapYear } = midnight.toZonedDateTimeISO(TIME_ZONE);
  const celebrated = birthdays.month === 2 && birthdays.day === 29 && !inLeapYear ? 28 : birthdays.day;
  if (month !== birthdays.month || day !== celebrated) return false;
  if (Temporal.Instant.compare(birthdays.toldAt, midnight) >= 0) return false;
  if (birthdays.paidAt === null || !birthdays.isChanged) return true;
  const again = birthdays.paidAt.toZonedDateTimeISO(TIME_ZONE).add({ months: 12 }).toInstant();
  return Temporal.Instant.compare(midnight, again) >= 0;
}
