import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const easypoints: Vendor = {
  name: "easypoints",
  title: "easyPoints",
  headers: {
    id: ["customerid", "storefrontcustomerid", "会員id", "顧客id", ...PLATFORM_ID, "id"],
    email: [...COMMON.email, "メールアドレス", "eメール", "メール"],
    first_name: [...COMMON.first_name, "名"],
    last_name: [...COMMON.last_name, "姓"],
    name: [...COMMON.name, "名前", "氏名", "お名前"],
    birthday: [...COMMON.birthday, "誕生日", "生年月日"],
    points: [...COMMON.points, "balance", "ポイント残高", "保有ポイント", "ポイント", "残高"],
    expires_at: [...COMMON.expires_at, "expiresat", "expirationdate", "有効期限", "失効日"],
    spent: [...COMMON.spent, "購入金額", "累計購入金額"],
    tier: [...COMMON.tier, "会員ランク", "ランク"],
  },
  marks: ["ポイント残高", "会員ランク"],
  days: "year_first",
  exported:
    "easyPoints, CSV. Points and ranks are two files: import the one with the points, then give the other to it as a file of tiers.",
  leavesOut: [{ en: "the history of points", ja: "ポイント履歴" }],
  source: {
    text: "intercom.help/lunaris, CSV import for points (Email, Points, Expiration extension); the other names are those of its interface (point_balance, expires_at, tier)",
    readOn: "2026-11-24",
    isVerified: false,
  },
};
