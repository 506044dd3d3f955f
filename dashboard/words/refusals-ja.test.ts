import { expect, test } from "vitest";
import { PROBLEMS } from "../../src/problems.ts";
import { parseProgramDocument } from "../../src/program/program-document.ts";
import { refusalInJapanese } from "./refusals-ja.ts";

const TITLES = Object.values(PROBLEMS).map(([, title]) => title);

test.each(TITLES)("the refusal %s has Japanese words", (title) => {
  expect(refusalInJapanese(title)).toMatch(/[ぁ-んァ-ヶ一-龠]{3}/);
});

test.each([
  ["expected 12 to 200 characters", "12～200文字で入力してください"],
  ["expected a string of 1 to 255 characters", "1～255文字で入力してください"],
  ["expected a text of 1 to 255 characters", "1～255文字で入力してください"],
  ["expected an integer from 1 to 1200 or null", "1～1200の整数で入力してください"],
  ["is required: expected an integer of at least 1", "入力してください"],
  ['expected one of "a", "b"', '次のいずれかを指定してください: "a", "b"'],
  [
    "Mei asked at 2026-03-01T00:00:00Z to merge m2 into m1: that request has to be decided first",
    "Meiがm2をm1に統合する依頼をしています（2026-03-01T00:00:00Z）。先にその依頼を処理してください",
  ],
  [
    "expected two customers with at most 9 points each, as requested; one has 12: refuse or withdraw this request, and ask for the merge again",
    "依頼では2人の残高はそれぞれ9ポイントまでですが、現在12ポイントの会員がいます。この依頼を却下するか取り下げて、統合を依頼し直してください",
  ],
  [
    "expected an import of its own: this one is a part of a file of another app, which is started as a whole",
    "別のアプリのファイルの一部です。ファイル全体でのみインポートを開始できます",
  ],
  [
    "expected an import of its own: the command pointkeeper import began this one and has it started: run the command again with the same file",
    "コマンド pointkeeper import によるインポートです。同じファイルでコマンドを再実行してください",
  ],
  [
    "expected somebody whose access was not made, reset or changed in the last 7 days by whoever asked, or by the same person",
    "過去7日以内に、依頼者と承認者の一方が他方に対して、または同じ人が両者に対して、直接または他の人を介して招待・利用の再開・リセット・2段階認証の解除・権限の引き上げのいずれかを行っています",
  ],
  [
    "m2 and m1 are one customer already: refuse or withdraw this request",
    "m2とm1はすでに1人の会員に統合されています。この依頼は却下するか取り下げてください",
  ],
  [
    "m2 became part of somebody else: refuse or withdraw this request, and ask for a merge with that customer",
    "m2は別の会員に統合されています。この依頼を却下するか取り下げて、統合先の会員で依頼し直してください",
  ],
  ["{nmae} is not known here: use {name}, {tier}", "{nmae}は使用できません。使用できる差し込み項目：{name}, {tier}"],
  [
    "the API secret key is set by POINTKEEPER_API_SECRET: change it there and start again",
    "APIシークレットキーは環境変数POINTKEEPER_API_SECRETで設定されています。環境変数を変更して再起動してください",
  ],
  [
    "another address gives the member's 5000 points to whoever has it, more than you may move without approval: create a customer with the new address, and merge the two",
    "メールアドレスを変更すると、会員の5000ポイントが新しいアドレスの持ち主に移ります。承認なしで動かせる範囲を超えるため、新しいアドレスで会員を作成し、2人を統合してください",
  ],
  [
    "this address gives the customer 5000 points of guests' orders, more than you may move without approval: create a customer who has only this address, and merge the two",
    "このメールアドレスでのゲスト注文の5000ポイントが会員に付与されます。承認なしで動かせる範囲を超えるため、このメールアドレスだけの会員を作成し、2人を統合してください",
  ],
  ["something that nobody foresaw", "something that nobody foresaw"],
])("%s", (detail, japanese) => {
  expect(refusalInJapanese(detail)).toBe(japanese);
});

const WRONG = {
  store: { name: 1, currency: "YEN", time_zone: "Tokyo" },
  earning: {
    point_value: 0.5,
    rounding: "none",
    include_tax: "no",
    excluded_product_tags: "sale",
    bonus_collections: [{ collection_id: "", starts_at: "soon" }, 7],
    extra: 1,
  },
  campaigns: [
    { name: "A", starts_at: "2026-07-01", ends_at: "2026-06-01", point_value: 1, by_tier: { Gold: 3, Nobody: {} } },
    { name: "B", starts_at: "2026-07-01", ends_at: "2026-08-01", point_value: 1 },
    { name: "C", starts_at: "2026-07-15", ends_at: "2026-08-15", point_value: 1 },
  ],
  tiers: { period_months: 5, rules: [{ name: "A", uid: "x" }, { name: "A" }, { default: "yes" }] },
  expiration: { delay_months: 0 },
  coupons: 5,
};

test.each([
  "expected at most 100000 customers: narrow the filter",
  "expected a segment that is counted",
  "expected a segment with customers",
  "expected at most 100 segments",
  "expected a name that no other segment has",
  "more than one customer has this e-mail: expected an id",
  "expected an id of at most 1000 characters and 2600 bytes",
  "expected at most 20 origins",
  "expected at most 20 keys: revoke one first",
  "expected the app that wrote the file",
  "expected another than the one that was made",
  "this passkey is known already",
  "is not one of your passkeys, or the browser's answer does not hold",
  "is a receiver of this topic already",
  "has 10 receivers, which is the most",
  "the role comes from the identity provider",
  "12 more faults are not shown",
  "expected true to give points once more to customers who received some from an earlier file of the app",
  "expected true to count orders once more that an earlier file of the app brought",
])("what a form is told, %s, has Japanese words", (detail) => {
  expect(refusalInJapanese(detail)).toMatch(/[ぁ-んァ-ヶ一-龠]{3}/);
});

test.each(faultsOf(WRONG))("a program's fault, %s, has Japanese words", (detail) => {
  expect(refusalInJapanese(detail)).toMatch(/[ぁ-んァ-ヶ一-龠]{3}/);
});

function faultsOf(document: unknown): readonly string[] {
  const spareUids = Array.from({ length: 50 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`);
  const parsed = parseProgramDocument(document, { previous: null, spareUids });
  return parsed.kind === "document" ? [] : [...new Set(parsed.faults.map(({ detail }) => detail))];
}
