/** The names of the kinds of imported files. */
export const FILE_KIND_NAMES = {
  en: {
    move: "From another app",
    points: "Points",
    tiers: "Tiers",
    customers: "Customers",
    spend: "Spent elsewhere",
    history: "History elsewhere",
  },
  ja: {
    move: "他のアプリから",
    points: "ポイント",
    tiers: "会員ランク",
    customers: "会員",
    spend: "他での購入金額",
    history: "他での履歴",
  },
} as const;
