import { COMMON, PLATFORM_ID } from "../header-names.ts";
import type { Vendor } from "../vendor.ts";

export const stamped: Vendor = {
  name: "stamped",
  title: "Stamped Loyalty",
  headers: { ...COMMON, id: PLATFORM_ID },
  marks: ["viptierenddate", "addpoints"],
  days: "year_first",
  exported: "Stamped, Loyalty, Customers, Export.",
  leavesOut: [{ en: "add_points (a column of imports)", ja: "add_points（インポート用の列）" }],
  hints: ["A tier is kept until its `vip_tier_end_date`: no check drops the customer below it before."],
  source: {
    text: "support.stamped.io/article/759 and stampedsupport.stamped.io article 10040527162651 (first_name, last_name, email, points, birthday, vip_tier, vip_tier_end_date)",
    readOn: "2026-11-24",
    isVerified: true,
  },
};
