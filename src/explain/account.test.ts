import fc from "fast-check";
import { expect, test } from "vitest";
import { ACCOUNT_KIND_NAMES } from "../wire/account-kind-names.ts";
import { ACCOUNT_KINDS } from "../wire/account-kinds.ts";
import { accountOf } from "./account.ts";
import { ACCOUNT_KIND_OF } from "./account-kind-of.ts";
import { ENGLISH_ACCOUNT } from "./account-words-en.ts";
import { JAPANESE_ACCOUNT } from "./account-words-ja.ts";
import { ENGLISH } from "./messages-en.ts";

const DAYS = [...["2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"].map((at) => Temporal.Instant.from(at)), null];
const points = fc.bigInt(0n, 9_007_199_254_740_991n);
const sum = fc.record({
  type: fc.constantFrom("fulfillment" as const, "api" as const, "manual" as const),
  kind: fc.constantFrom(...ACCOUNT_KINDS),
  count: fc.bigInt(1n, 1_000_000n),
  given: points,
  taken: points.map((value) => -value),
});
const expiryDays = fc
  .subarray(DAYS)
  .chain((days) => fc.tuple(...days.map((at) => fc.record({ at: fc.constant(at), points: fc.bigInt(1n, 1_000n) }))));

test("an account adds up: from the opening by its lines to the balance, and its expiries and the rest to what is available", () => {
  fc.assert(
    fc.property(points, fc.array(sum), expiryDays, points, (opening, sums, days, held) => {
      const ledgerPoints = sums.reduce((total, { given, taken }) => total + given + taken, opening);
      const duePoints = 3n;
      const amounts = { opening, ledgerPoints, heldPoints: held, duePoints };
      const account = accountOf({ ...amounts, sums, expiryDays: days, orders: null });
      const reached = account.lines.reduce((total, { given, taken }) => total + given + taken, account.opening);
      expect(reached).toBe(account.available + account.heldPoints + account.duePoints);
      const expiring = account.expiries.reduce((total, one) => total + one.points, account.later);
      expect(expiring).toBe(account.available);
      if (held === 0n) expect(account.expiries).toEqual(days);
      expect(new Set(account.lines.map(({ kind }) => kind)).size).toBe(account.lines.length);
    }),
  );
});

test("a hold keeps the points that expire soonest, and the days say what expires of the others", () => {
  const [first, second, never] = DAYS.map((at) => ({ at, points: 100n }));
  const expiriesOf = (heldPoints: bigint) => {
    const days = [first, second, never].flatMap((day) => day ?? []);
    const input = { opening: 300n, orders: null, ledgerPoints: 300n, duePoints: 0n, sums: [], expiryDays: days };
    const { expiries, later, available } = accountOf({ ...input, heldPoints });
    return [...expiries.map(({ points }) => points), later, available];
  };
  expect(expiriesOf(0n)).toEqual([100n, 100n, 100n, 0n, 300n]);
  expect(expiriesOf(130n)).toEqual([70n, 100n, 0n, 170n]);
  expect(expiriesOf(300n)).toEqual([0n, 0n]);
});

test("sums that do not come to the balance make no account", () => {
  const none = { opening: 5n, orders: null, heldPoints: 0n, duePoints: 0n, expiryDays: [], sums: [] };
  expect(() => accountOf({ ...none, ledgerPoints: 6n })).toThrow("not 6");
});

test("every kind that an allotment can get has a name and a sentence in both languages", () => {
  const kinds = [...ACCOUNT_KIND_OF.matchAll(/(?:then|else) '(\w+)'/g)].map(([, kind]) => kind);
  expect(new Set(kinds)).toEqual(new Set(ACCOUNT_KINDS));
  for (const kind of ACCOUNT_KINDS) {
    for (const words of [ENGLISH_ACCOUNT, JAPANESE_ACCOUNT]) {
      expect(words.given[kind] ?? words.taken[kind], kind).toBeDefined();
    }
    expect(ACCOUNT_KIND_NAMES.ja[kind]).not.toBe(ACCOUNT_KIND_NAMES.en[kind]);
  }
});

test("one point is one in every English sentence of an account", () => {
  const one = { points: "1", count: "1", isOne: true };
  const { given, taken, total, balanceIs, orders, expire, neverExpire, later, laterThanHeld, allExpire } =
    ENGLISH_ACCOUNT;
  const sentences = [
    ...[given, taken].flatMap((said) => Object.values(said).map((sentence) => sentence(one))),
    ...[total("1"), balanceIs("1", "1 May"), orders(one), neverExpire("1"), later("1"), laterThanHeld("1")],
    ...[expire("1", "1 May"), allExpire("1", "1 May")],
    ...[ENGLISH.held("1"), ENGLISH.owes("1"), ENGLISH.due("1")],
  ];
  const severalWords = /\b(1 points|1 expire|were|points have|they|them|do not)\b/u;
  expect(sentences.filter((text) => severalWords.test(text))).toEqual([]);
});
