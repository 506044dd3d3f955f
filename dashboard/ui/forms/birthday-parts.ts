import { wholeOf } from "./typed-number.ts";

/** A birthday as it is entered; a part that is not known yet is empty. */
export interface BirthdayParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const NO_BIRTHDAY: BirthdayParts = { year: "", month: "", day: "" };

/** The parts of `1990-04-12`, or of `--04-12` without the year. */
export function birthdayParts(birthday: string | null): BirthdayParts {
  const [, year = "", month = "", day = ""] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(birthday ?? "") ?? [];
  return month === ""
    ? NO_BIRTHDAY
    : { year: year === "-" ? "" : year, month: String(Number(month)), day: String(Number(day)) };
}

/** The birthday with these parts; null if none is entered. What is incomplete becomes a text that the service refuses. */
export function birthdayText({ year, month, day }: BirthdayParts): string | null {
  if (year === "" && month === "" && day === "") return null;
  const digits = wholeOf(year) === null ? year : String(wholeOf(year)).padStart(year.length, "0"); // full-width digits
  return `${year === "" ? "-" : digits}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
