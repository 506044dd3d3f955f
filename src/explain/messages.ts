import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { OrderRules } from "../orders/plan/order-rules.ts";
import type { Undone } from "./undone-of.ts";

/**
 * The sentences of explanations in one language. Points and counts are formatted digits, money includes its currency, times are in the store's local
 * time; `null`: there is none.
 */
export interface Messages {
  readonly types: Readonly<Record<AllotmentType, string>>;
  /** In place of a type: what a merge of two customers posted. */
  readonly merge: string;
  /** In place of a type: what undid an adjustment, or an import. */
  readonly undoing: Readonly<Record<Undone, string>>;
  readonly roundings: Readonly<Record<OrderRules["rounding"], string>>;
  readonly exclusions: Readonly<Record<string, string>>;
  readonly tierCauses: Readonly<Record<string, string>>;
  /** By the key of a reward. */
  readonly rewards: Readonly<Record<string, string>>;

  headline(points: string, at: string, type: string): string;
  ofOrder(name: string, title: string | null): string;
  balance(before: string, after: string): string;
  requestedByCredential(name: string, actor: string | null): string;
  causedByPlatform(name: string, actor: string | null): string;
  requestedByStaff(name: string | null): string;
  postedByService(): string;
  movedIn(app: string): string;
  earnedAt(at: string): string;
  ownExpiry(at: string): string;
  reason(type: string | null, note: string | null): string;
  extendsExpiry(): string;
  programVersion(version: number, author: string | null, from: string | null): string;

  orderLine(line: {
    title: string;
    gross: string;
    discount: string | null;
    base: string;
    exact: string;
    rate: string;
    bonus: string | null;
    left: string | null;
  }): string;
  excludedLine(title: string, because: string): string;
  tierRate(tier: string, campaign: string | null, rate: string): string;
  rate(points: string, money: string): string;
  rounding(mode: string): string;
  award(step: { exact: string; after: string; before: string; share: string; isShipped: boolean }): string;
  refund(step: { before: string; after: string; exact: string }): string;
  cancellation(step: { before: string }): string;
  correction(points: string): string;
  requested(requested: string, taken: string): string;
  results: Readonly<Record<"capped" | "owed" | "refused" | "set_off", (rest: string) => string>>;
  notReproduced(): string;

  drawn(points: string, source: string, at: string): string;
  usedBy(points: string, what: string, at: string): string;
  remaining(points: string, expires: string | null): string;
  nothingLeft(): string;
  expired(points: string, source: string, at: string, wentAt: string | null): string;
  sliding(months: number, activeAt: string | null): string;
  perAllotment(months: number): string;
  onlyOwnDates(): string;
  coupon(code: string, points: string, worth: string): string;
  couponUsed(orderId: string): string;
  couponReturned(): string;
  reward(kind: string): string;
  debt(): string;
  settledDebt(points: string): string;

  history(of: {
    app: string;
    /** When points were moved in from the app; null: none were. */
    before: string | null;
    /** The day of the last entry. */
    lastDay: string;
    earned: string;
    used: string;
    expired: string | null;
    adjusted: string | null;
    movedIn: string | null;
  }): string;
  held(points: string): string;
  due(points: string): string;
  owes(points: string): string;

  tierIs(tier: string, at: string): string;
  neverPlaced(): string;
  lastChange(change: {
    from: string;
    to: string;
    at: string;
    cause: string;
    actor: string | null;
    spend: string | null;
  }): string;
  floor(tier: string): string;
  skipsCheck(at: string): string;
  keptUntil(tier: string, until: string): string;
  spentElsewhere(amount: string): string;
  spent(amount: string, from: string, orders: string, check: string): string;
  toKeep(tier: string, missing: string): string;
  toRise(tier: string, missing: string): string;
  highest(): string;
}
