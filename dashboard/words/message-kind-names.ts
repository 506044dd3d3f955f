/** The names of the kinds of messages to customers. */
export const MESSAGE_KIND_NAMES = {
  en: {
    expiry_reminder: "Points expire soon",
    tier_reached: "Tier reached",
    birthday: "Birthday",
    statement: "Monthly statement",
  },
  ja: {
    expiry_reminder: "ポイント失効のお知らせ",
    tier_reached: "会員ランク到達",
    birthday: "誕生日",
    statement: "月次明細",
  },
} as const;
