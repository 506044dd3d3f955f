const WITH_YEAR = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const WITHOUT_YEAR = /^--([0-9]{2}-[0-9]{2})$/;

/** Whether a text is a valid date from 1850 on, "1990-05-17", or one without a year, "--02-29". */
export function isBirthdayText(text: string): boolean {
  const monthDay = WITHOUT_YEAR.exec(text)?.[1];
  // 2000 had a 29 February, which a birthday without a year may be
  const date = monthDay === undefined ? text : `2000-${monthDay}`;
  if (!WITH_YEAR.test(date) || date < "1850") return false;
  try {
    return Temporal.PlainDate.from(date, { overflow: "reject" }).toString() === date;
  } catch {
    return false;
  }
}
