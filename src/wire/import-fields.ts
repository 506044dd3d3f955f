import type { Language } from "./language.ts";

/**
 * What a file in the service's own formats may import: points, tiers, customers, and from another app what customers spent and the history of their
 * points.
 */
export const IMPORT_KINDS = ["points", "tiers", "customers", "spend", "history"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** What can be uploaded: a file in an own format, or another app's export, which becomes several files in own formats. */
export const UPLOAD_KINDS = ["move", ...IMPORT_KINDS] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

/** The fields of a customer's row in another app's file. */
export const MOVE_FIELDS = [
  ...(["id", "email", "name", "first_name", "last_name", "birthday", "accepts_marketing"] as const),
  ...(["points", "expires_at", "earned_at", "spent", "tier", "tier_until"] as const),
] as const;
export type MoveField = (typeof MOVE_FIELDS)[number];

/** The fields of a row, in the order of a file without a header. */
export const IMPORT_FIELDS = {
  move: MOVE_FIELDS,
  points: ["customer", "points", "extension", "reason", "note", "expires_at", "earned_at"],
  tiers: ["customer", "tier", "minimum_tier", "skip_next_check", "tier_until"],
  customers: ["id", "email", "name", "birthday", "accepts_marketing", "account_enabled", "name_reading"],
  spend: ["customer", "spent", "happened_at"],
  history: ["customer", "happened_at", "points", "entry", "note"],
} as const satisfies Record<UploadKind, readonly string[]>;

export type ImportField = (typeof IMPORT_FIELDS)[UploadKind][number];

/** Character encodings in which a file is read. */
export const ENCODINGS = ["utf-8", "shift_jis", "windows-1252", "utf-16le", "utf-16be"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const SEPARATORS = [",", "\t", ";"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The names of the fields in a header. */
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
    name_reading: "Reading",
    first_name: "First name",
    last_name: "Last name",
    earned_at: "Earned at",
    tier_until: "Tier kept until",
    spent: "Spent",
    happened_at: "Date",
    entry: "What happened",
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
    id: "会員ID",
    email: "メールアドレス",
    name: "名前",
    birthday: "誕生日",
    accepts_marketing: "マーケティング同意",
    account_enabled: "アカウント有効",
    name_reading: "フリガナ",
    first_name: "名",
    last_name: "姓",
    earned_at: "獲得日",
    tier_until: "会員ランクの維持期限",
    spent: "購入金額",
    happened_at: "日付",
    entry: "内容",
  },
};
