/** How a file writes days: 2027-03-31, 31/03/2027 or 03/31/2027. ISO dates and names of months are accepted in every file. */
export const DAY_FORMS = ["year_first", "day_first", "month_first"] as const;
export type DayForm = (typeof DAY_FORMS)[number];

/** One day in each form, which says the form to people of any language. */
export const DAY_EXAMPLES: Readonly<Record<DayForm, string>> = {
  year_first: "2027-03-31",
  day_first: "31/03/2027",
  month_first: "03/31/2027",
};
