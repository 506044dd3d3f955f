/** The kinds of messages to customers, in the order of the page. */
export const MESSAGE_KINDS = ["expiry_reminder", "tier_reached", "birthday", "statement"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

const ALWAYS = ["name", "store", "points", "tier"] as const;

/** The placeholders of each kind's texts, written in braces. */
export const PLACEHOLDERS = {
  expiry_reminder: [...ALWAYS, "expiring_points", "last_day", "expires_on"],
  tier_reached: ALWAYS,
  birthday: ALWAYS,
  statement: [...ALWAYS, "month", "earned", "used", "expired"],
} as const satisfies Readonly<Record<MessageKind, readonly string[]>>;

export type Placeholder = (typeof PLACEHOLDERS)[MessageKind][number];

export const MESSAGE_SUBJECT_MAX = 120;
export const MESSAGE_TEXT_MAX = 5_000;
export const MESSAGE_DAYS = { min: 1, max: 90 } as const;
export const MESSAGE_HOURLY = { min: 10, max: 100_000 } as const;
