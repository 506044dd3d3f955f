import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const easypoints: Vendor = {
  name: "easypoints",
  title: "easyPoints",
  headers: {
    ...COMMON,
    id: ["customerid", "storefrontcustomerid", "会員id", "顧客id", ...PLATFORM_ID, "id"],
    points: [...COMMON.points, "balance"],
    expires_at: [...COMMON.expires_at, "expiresat", "expirationdate"],
  },
  marks: ["メールアドレス", "ポイント残高", "会員ランク", "expirationextension"],
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
