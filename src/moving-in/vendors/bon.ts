import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const bon: Vendor = {
  name: "bon",
  title: "BON Loyalty",
  headers: { ...COMMON, id: [...PLATFORM_ID, "customerid"] },
  marks: ["shopifycustomerids", "customeremails"],
  days: "year_first",
  exported: "BON Loyalty, Customers, Customer data, Export.",
  leavesOut: [{ en: "referrals", ja: "紹介" }],
  source: {
    text: "bonloyalty.com/docs/customers/import-customer-data-via-csv-file (Shopify Customer IDs, Customer Emails, Points) and its guide for moving from other apps (Email, Points Balance, Shopify ID)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
