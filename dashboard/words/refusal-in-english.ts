import { counted } from "./counted.ts";

/** Titles that speak of requests or name their fields. A form that is sent again has the key of its first attempt, which may wait for approval. */
const TITLES: Readonly<Record<string, string>> = {
  "Idempotency-Key was used with another request":
    "The first attempt arrived, with what was entered then. Close the form and look at the result",
  "expected a time after starts_at": "Expected a time after the start",
  "expected a time before end_datetime": "Expected a time before the end",
};

/** Why somebody may not approve, which the interface says of whoever else may. */
const SECOND_PERSON = /^expected somebody whose access was not made, reset or changed in the last (\d+) days.*/;

/** Returns a text of a refusal as people read it: the interface says "integer", and does not group digits. */
export function refusalInEnglish(text: string): string {
  const title = TITLES[text];
  if (title !== undefined) return title;
  const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  const plain = text
    .replace(
      SECOND_PERSON,
      (_, days: string) =>
        `in the last ${counted(days, "day")} you or the requester invited or enabled the other, reset their access or second factor, or raised their role, or one person did so for both, directly or through others`,
    )
    .replace(/\ban integer (?:from|at least|at most)\b.*/, (range) => range.replaceAll(/\d{4,}/g, grouped))
    .replace(/\ban integer\b/, "a whole number");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
