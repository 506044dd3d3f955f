import type { AccountKind } from "../wire/account-kinds.ts";

/** Points and counts are formatted digits; `isOne`: the sentence leaves the count out. */
interface Said {
  readonly points: string;
  readonly count: string;
  readonly isOne: boolean;
}

type Sentence = (said: Said) => string;

/** The sentences of an account for the customer, in one language. */
export interface AccountWords {
  balanceIs(points: string, at: string): string;
  opening(points: string, at: string | null): string;
  readonly given: Readonly<Partial<Record<AccountKind, Sentence>>>;
  readonly taken: Readonly<Partial<Record<AccountKind, Sentence>>>;
  /** For orders that were counted. */
  orders(said: Said): string;
  /** For a kind that has no separate sentence for the direction. */
  other(kind: string, points: string, count: string): string;
  total(points: string): string;
  allExpire(points: string, day: string): string;
  expire(points: string, day: string): string;
  neverExpire(points: string): string;
  later(points: string): string;
  /** Where the points on hold are all whose days are known. */
  laterThanHeld(points: string): string;
  slides(): string;
}
