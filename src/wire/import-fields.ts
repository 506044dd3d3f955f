import type { Language } from "./language.ts";

/** What a file may bring: points, tiers, or who the customers are. */
export const IMPORT_KINDS = ["points", "tiers", "customers"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The fields of a row, in the order in which they stand unless the first row names them. */
export const IMPORT_FIELDS = {
  points: ["customer", "points", "extension", "reason", "note", "expires_at"],
  tiers: ["customer", "tier", "minimum_tier", "skip_next_check"],
  customers: ["id", "email", "name", "birthday", "accepts_marketing", "account_enabled"],
} as const satisfies Record<ImportKind, readonly string[]>;

export type ImportField = (typeof IMPORT_FIELDS)[ImportKind][number];

/** Character encodings in which a file is read. */
export const ENCODINGS = ["utf-8", "shift_jis", "utf-16le", "utf-16be"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const SEPARATORS = [",", "\t", ";"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The fields of a row, as a header calls them. */
export const IMPORT_FIELD_NAMES: Readonly<Record<Language, Readonly<Record<ImportField, string>>>> = {
  en: {
    customer: "Email or id",
    points: "Points",
    extension: "Expiration extension",
    reason: "Reason",
    note: "Note",
    expires_at: "Expires at",
    tier: "Tier",
    minimum_tier: "Minimum tier",
    skip_next_check: "Skip next check",
    id: "Id",
    email: "Email",
    name: "Name",
    birthday: "Birthday",
    accepts_marketing: "Accepts marketing",
    account_enabled: "Account enabled",
  },
  ja: {
    customer: "メールアドレスまたはID",
    points: "ポイント",
    extension: "有効期限延長",
    reason: "理由",
    note: "メモ",
    expires_at: "有効期限",
    tier: "会員ランク",
    minimum_tier: "最低ランク",
    skip_next_check: "次回判定をスキップ",
    id: "顧客ID",
    email: "メールアドレス",
    name: "名前",
    birthday: "誕生日",
    accepts_marketing: "マーケティング同意",
    account_enabled: "アカウント有効",
  },
};
