import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const joy: Vendor = {
  name: "joy",
  title: "Joy Loyalty",
  headers: { ...COMMON, id: PLATFORM_ID, tier: ["membershiptype", ...COMMON.tier] },
  marks: ["membershiptype"],
  days: "month_first",
  exported: "Joy, Customers, Export: the file comes by e-mail.",
  leavesOut: [
    { en: "the date of joining (Created Date)", ja: "入会日（Created Date）" },
    { en: "referrals", ja: "紹介" },
  ],
  hints: ["Birthdays are month and day (`Birthday(MM/DD)`), without a year."],
  source: {
    text: "help.joy.so, Import & Export customer data (Email, Name, Membership Type, Points, Birthday, Created Date)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
