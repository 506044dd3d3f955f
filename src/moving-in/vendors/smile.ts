import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const smile: Vendor = {
  name: "smile",
  title: "Smile.io",
  headers: { ...COMMON, id: PLATFORM_ID },
  marks: ["memberstatus"],
  days: "year_first",
  exported:
    "Smile Admin, Customers, Filter and export, Download results: choose at least the e-mail address, Points Balance and VIP tier. The file comes by e-mail.",
  leavesOut: [
    { en: "member status", ja: "会員ステータス" },
    { en: "referrals", ja: "紹介" },
    { en: "the history of points", ja: "ポイント履歴" },
  ],
  hints: [
    "A birthday in the year 1004 is one of which only month and day are known: it is read so.",
    "Guests with points are in the file too. They become customers here, and get their points at the platform when they have an account.",
  ],
  source: {
    text: "help.smile.io/en/articles/4036233 (email, points), dev.smile.io/ui/objects/customer (birthdays) and rijoy.ai/docs/loyalty-customer-data-import-manual (columns of the export)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
