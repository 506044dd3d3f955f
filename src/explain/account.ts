import type { AllotmentType } from "../ledger/allotment-types.ts";
import { withoutHeld } from "../ledger/expiry/expiry.ts";
import type { ExpiryDay } from "../ledger/expiry/expiry-days.ts";
import { ACCOUNT_KINDS, type AccountKind } from "../wire/account-kinds.ts";
import type { KindSum } from "./kind-sum.ts";

/** One line of an account: the points that one kind gave and took. */
export interface AccountLine {
  readonly kind: AccountKind;
  readonly count: bigint;
  readonly given: bigint;
  /** Negative, or 0. */
  readonly taken: bigint;
}

/**
 * The account of a balance from its beginning. `opening` plus all that the lines gave and took is `ledgerPoints`. That less held and expired points
 * is `available`, which equals the sum of the expiries and `later`: a hold keeps the points that expire soonest (program.md 5).
 */
export interface Account {
  readonly opening: bigint;
  readonly lines: readonly AccountLine[];
  /** How many orders gave points; null: the history is too long to count them. */
  readonly orders: bigint | null;
  readonly ledgerPoints: bigint;
  readonly heldPoints: bigint;
  readonly duePoints: bigint;
  readonly available: bigint;
  /** Of available points, soonest first, at most `EXPIRIES_MAX`. */
  readonly expiries: readonly ExpiryDay[];
  /** The available points that expire after `expiries`, or never. */
  readonly later: bigint;
}

interface AccountInput extends Pick<Account, "opening" | "orders" | "ledgerPoints" | "heldPoints" | "duePoints"> {
  readonly sums: readonly KindSum[];
  /** The first days on which points expire, soonest first, held ones included. */
  readonly expiryDays: readonly ExpiryDay[];
}

const EXPIRIES_MAX = 4;

/** Returns the account of a balance. Throws if the given values do not add up. */
export function accountOf(input: AccountInput): Account {
  const { opening, orders, ledgerPoints, heldPoints, duePoints } = input;
  const lines = linesOf(input.sums);
  const moved = lines.reduce((total, { given, taken }) => total + given + taken, 0n);
  if (opening + moved !== ledgerPoints) throw new Error(`an account of ${opening + moved} is not ${ledgerPoints}`);
  const expiries = withoutHeld(input.expiryDays, heldPoints).slice(0, EXPIRIES_MAX);
  const shown = expiries.reduce((total, { points }) => total + points, 0n);
  const available = ledgerPoints - heldPoints - duePoints;
  const later = available - shown;
  return { opening, lines, orders, ledgerPoints, heldPoints, duePoints, available, expiries, later };
}

/** By kind, in the order of an account. */
function linesOf(sums: readonly KindSum[]): readonly AccountLine[] {
  const byKind = Map.groupBy(sums, ({ kind }) => kind);
  return ACCOUNT_KINDS.flatMap((kind) => {
    const rows = byKind.get(kind);
    return rows === undefined ? [] : [{ kind, ...summed(rows) }];
  });
}

function summed(rows: readonly Omit<KindSum, "type" | "kind">[]) {
  return rows.reduce(
    (total, { count, given, taken }) => ({
      count: total.count + count,
      given: total.given + given,
      taken: total.taken + taken,
    }),
    { count: 0n, given: 0n, taken: 0n },
  );
}

/** Returns the same sums by type only. */
export function sumsByType(
  sums: readonly KindSum[],
): readonly (Omit<KindSum, "type" | "kind"> & { readonly type: AllotmentType })[] {
  return [...Map.groupBy(sums, ({ type }) => type)].map(([type, rows]) => ({ type, ...summed(rows) }));
}
