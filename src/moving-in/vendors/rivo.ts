import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const rivo: Vendor = {
  name: "rivo",
  title: "Rivo",
  headers: { ...COMMON, id: ["customerid", ...PLATFORM_ID] },
  marks: ["activationdate", "creditsbalance"],
  days: "year_first",
  exported:
    "Rivo Admin, Customers, Export. The file has the columns of Rivo's own import: Email, Points Balance, Birthdate, VIP Tier.",
  leavesOut: [
    { en: "store credit (Credits Balance)", ja: "ストアクレジット（Credits Balance）" },
    { en: "the activation date", ja: "有効化日" },
  ],
  hints: ["Rivo's Points Logs (email, points_amount, applied_at, external_note) can be brought in as history."],
  source: {
    text: "help.rivo.io/en/articles/6671188 (Email, Points Balance, Birthdate, VIP Tier, Activation Date, Credits Balance) and 14107276 (Points Logs)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
