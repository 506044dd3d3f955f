import type { Origin } from "./allotment-choices.ts";
import type { Language } from "./language.ts";

/** The names of the origins of points. */
export const ORIGIN_NAMES = {
  en: {
    promotion: "Promotion",
    compensation: "Compensation",
    purchase: "Purchase of points",
    migration: "Migration",
    sale: "Sale",
  },
  ja: {
    promotion: "販促",
    compensation: "お詫び・補填",
    purchase: "ポイントの購入",
    migration: "他システムからの移行",
    sale: "販売",
  },
} as const satisfies Record<Language, Record<Origin, string>>;
