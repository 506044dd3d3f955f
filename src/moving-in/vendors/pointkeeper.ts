import { COMMON } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const pointkeeper: Vendor = {
  name: "pointkeeper",
  title: "Pointkeeper",
  headers: {
    id: ["storefrontcustomerid", "storefrontid", "customerid", "id", "会員id", "顧客id"],
    email: COMMON.email,
    name: COMMON.name,
    birthday: COMMON.birthday,
    accepts_marketing: COMMON.accepts_marketing,
    points: ["pointbalance", "currentbalance", "balance", "points", "残高"],
    expires_at: ["expiresat", "有効期限"],
    earned_at: ["earnedat"],
    spent: COMMON.spent,
    tier: ["tier", "tiername", "会員ランク"],
    tier_until: ["tieruntil", "keepuntil"],
  },
  marks: ["storefrontcustomerid", "storefrontid", "currentbalance", "lastorder"],
  days: "year_first",
  exported:
    "A statement (Imports & exports, Exports), a segment (Download), or any file with these columns. The whole store with its history moves by `pointkeeper export all` instead.",
  leavesOut: [
    {
      en: "the history of points: the export of the whole store has it",
      ja: "ポイント履歴（ストア全体のエクスポートに含まれます）",
    },
  ],
  source: { text: "its statements and segments", readOn: "2026-11-28", isVerified: true },
};
