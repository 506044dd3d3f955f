import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const growave: Vendor = {
  name: "growave",
  title: "Growave",
  headers: { ...COMMON, id: ["customerid", ...PLATFORM_ID], points: [...COMMON.points, "balance"] },
  marks: ["birthdateyyyymmdd", "wishlists"],
  days: "year_first",
  hasFractions: true,
  exported: "Growave, Rewards, Customers, Export.",
  leavesOut: [
    { en: "wishlists", ja: "ウィッシュリスト" },
    { en: "reviews", ja: "レビュー" },
    { en: "referrals", ja: "紹介" },
  ],
  hints: ["Growave's points may have two decimal places. They become the next whole number, so that nobody loses any."],
  source: {
    text: "help.growave.io/article/350-faq-rewards-app (Customer ID, Email, Points; First Name, Last Name, Birthdate as YYYY-MM-DD; decimal points)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
