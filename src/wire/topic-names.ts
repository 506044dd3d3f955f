import type { Language } from "./language.ts";

/** The names of webhook topics, on pages and in alerts. */
export const TOPIC_NAMES = {
  en: {
    "point_allotment/cascade": "Points were added or taken",
    "point_balance/update": "A customer's balance changed",
    "point_balances/export": "An export is ready",
  },
  ja: {
    "point_allotment/cascade": "ポイントの付与・減算",
    "point_balance/update": "会員のポイント残高の変更",
    "point_balances/export": "エクスポートの完了",
  },
} as const satisfies Record<Language, Readonly<Record<string, string>>>;
