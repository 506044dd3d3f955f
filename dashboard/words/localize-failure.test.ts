import { expect, test } from "vitest";
import { localizeFailure } from "./localize-failure.ts";

test.each([
  ["ENOTFOUND: getaddrinfo ENOTFOUND shop.example", "ホスト名が見つかりません"],
  ["connect ECONNREFUSED 203.0.113.7:443", "接続が拒否されました"],
  ["CERT_HAS_EXPIRED: certificate has expired", "証明書が有効ではありません"],
  ["no answer within 5 s", "時間内に応答がありませんでした"],
  ["UND_ERR_CONNECT_TIMEOUT: Connect Timeout Error", "時間内に応答がありませんでした"],
  ["ECONNRESET: read ECONNRESET", "接続が切断されました"],
])("the failure %s is told in Japanese, with the system's own words", (text, japanese) => {
  expect(localizeFailure(text, "ja")).toBe(`${japanese}（${text}）`);
  expect(localizeFailure(text, "en")).toMatch(/^[A-Z][a-z ]+ \(.+\)$/);
});

test("a refused address has the words of a refusal, and what nobody foresaw its own", () => {
  expect(localizeFailure("expected a public address", "ja")).toBe("インターネットから到達できるURLを入力してください");
  expect(localizeFailure("something new", "ja")).toBe("something new");
  expect(localizeFailure("something new", "en")).toBe("something new");
});
