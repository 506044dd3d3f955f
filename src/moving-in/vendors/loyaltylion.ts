import { COMMON } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const loyaltylion: Vendor = {
  name: "loyaltylion",
  title: "LoyaltyLion",
  headers: {
    ...COMMON,
    id: ["merchantid"],
    points: ["pointsapproved", "approvedpoints", ...COMMON.points],
    tier: ["loyaltytier", "loyaltytiername", ...COMMON.tier],
  },
  marks: ["pointsapproved", "pointspending"],
  days: "year_first",
  exported:
    "Analytics, Exports, Customers: choose the columns on the right. Their names can be changed there: keep LoyaltyLion's own.",
  leavesOut: [
    { en: "pending points", ja: "保留中のポイント" },
    { en: "spent points", ja: "利用済みのポイント" },
    { en: "referrals", ja: "紹介" },
    { en: "activities", ja: "アクティビティ" },
  ],
  hints: [
    "`id` is LoyaltyLion's own and is not read: the same number may be another customer's id at the platform. `merchant_id` is the platform's.",
    "Pending points are not in `points_approved`. Wait until they are approved, or give them by hand.",
  ],
  source: {
    text: "the columns of its customer export (id, email, name, points_approved, points_expire_at); help.loyaltylion.com/articles/5367139-export",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
