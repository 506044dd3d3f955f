import type { AccountKind } from "../wire/account-kinds.ts";

/** Points and counts come as grouped digits; `isOne`: the count is not worth saying. */
interface Said {
  readonly points: string;
  readonly count: string;
  readonly isOne: boolean;
}

type Sentence = (said: Said) => string;

/** How an account is said to the customer, in one language. */
export interface AccountWords {
  balanceIs(points: string, at: string): string;
  opening(points: string, at: string | null): string;
  readonly given: Readonly<Partial<Record<AccountKind, Sentence>>>;
  readonly taken: Readonly<Partial<Record<AccountKind, Sentence>>>;
  /** Of orders that were counted. */
  orders(said: Said): string;
  /** Of a kind that has no sentence of its own for the direction. */
  other(kind: string, points: string, count: string): string;
  total(points: string): string;
  allExpire(points: string, day: string): string;
  expire(points: string, day: string): string;
  neverExpire(points: string): string;
  later(points: string): string;
  slides(): string;
}
