import { exponent, parseMajor } from "../../platforms/money.ts";
import type { IssueCode } from "../issue.ts";
import { plainForm } from "./plain-form.ts";
import { plainNumber } from "./plain-number.ts";

/** A currency's sign or code before or after, and spaces. */
const CURRENCY = /^[\p{Sc}a-z\s]+|[\p{Sc}a-z円\s]+$/giu;
/** The digits of a group; a currency with as many decimal places may have them all. */
const THOUSANDS = 3;

/** Parses spent money, 0 or more, to minor units of a currency; null: the cell is empty. Returns an issue code for an invalid text. */
export function spentOf(text: string, currency: string): bigint | null | IssueCode {
  if (text === "") return null;
  const plain = plainForm(text).replace(CURRENCY, "");
  const number = plainNumber(plain, { hasThreePlaces: exponent(currency) >= THOUSANDS });
  return number === undefined ? "spent_unclear" : (parseMajor(number, currency) ?? "spent_unclear");
}
