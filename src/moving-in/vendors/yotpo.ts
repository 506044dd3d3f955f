import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const yotpo: Vendor = {
  name: "yotpo",
  title: "Yotpo Loyalty",
  headers: { ...COMMON, id: [...PLATFORM_ID, "thirdpartyid"] },
  marks: ["pointsspent", "birthdaymmddormmddyyyy"],
  days: "month_first",
  exported: "Yotpo Loyalty & Referrals, Customers, Export.",
  leavesOut: [
    { en: "points spent", ja: "利用済みのポイント" },
    { en: "referral links", ja: "紹介リンク" },
    { en: "anniversaries", ja: "記念日" },
  ],
  hints: ["Yotpo asks for a 0 in cells without a value: a 0 as birthday is read as none."],
  source: {
    text: "support.yotpo.com, Importing/Exporting Points and Customers (Full Name, First Name, Last Name, Email, Points Balance, Points Spent, Birthday) and community.yotpo.com topic 649 (columns of the export)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
