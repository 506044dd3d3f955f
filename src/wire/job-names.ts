import type { Language } from "./language.ts";

/** The names of scheduled jobs by those in the schedule, on pages and in alerts. */
export const JOB_NAMES = {
  en: {
    "expire points": "Expire points",
    "designate tiers": "Check tiers",
    "reward birthdays": "Reward birthdays",
    "reconcile with the platform": "Compare with the platform",
    "back up": "Back up the store",
    "prune backups": "Remove old backups",
    "prune idempotency": "Remove old request keys",
    "prune receipts": "Remove old bodies of receipts",
    "prune imports": "Remove old imports",
    "prune exports": "Remove old exports",
    "prune webhook log": "Remove old deliveries",
    "prune mails": "Remove old mails",
    "queue messages to customers": "Send messages to customers",
    "prune request log": "Remove the old request log",
    "count the month of a report": "Count the month of the liability report",
    "make reports": "Make reports",
    "watch for alerts": "Watch for alerts",
    "count customers": "Count customers",
  },
  ja: {
    "expire points": "ポイントの失効",
    "designate tiers": "会員ランクの判定",
    "reward birthdays": "誕生日特典の付与",
    "reconcile with the platform": "プラットフォームとの照合",
    "back up": "ストアのバックアップ",
    "prune backups": "古いバックアップの削除",
    "prune idempotency": "古いリクエストキーの削除",
    "prune receipts": "古い受信データ本文の削除",
    "prune imports": "古いインポートの削除",
    "prune exports": "古いエクスポートの削除",
    "prune webhook log": "古い配信記録の削除",
    "prune mails": "古いメールの削除",
    "queue messages to customers": "会員へのメール送信",
    "prune request log": "古いリクエスト履歴の削除",
    "count the month of a report": "ポイント負債レポートの対象月の集計",
    "make reports": "レポートの作成",
    "watch for alerts": "アラートの確認",
    "count customers": "会員数の集計",
  },
} as const satisfies Record<Language, Readonly<Record<string, string>>>;

export type JobName = keyof typeof JOB_NAMES.en;
