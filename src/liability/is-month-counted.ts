import type { Queryable } from "../db/pool.ts";
import { selectBook } from "./book-queries.ts";
import { parseMonth } from "./month.ts";
import { isCountedTo } from "./unpriced.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

/** Returns whether all allotments of a month (`2026-10`) are counted, so that its figures change no more by themselves. */
export async function isMonthCounted(queryable: Queryable, month: string): Promise<boolean> {
  const number = parseMonth(month);
  const [book, mark] = [await selectBook(queryable), await selectUnpricedMark(queryable)];
  if (number === null || book.timeZone === "") return false;
  return isCountedTo(number, book, mark);
}
