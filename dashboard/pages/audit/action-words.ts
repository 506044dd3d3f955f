import type { Language } from "../../words/words.ts";

/** What is known to be done, in both languages; anything else is shown as it is recorded. */
const ACTIONS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  "staff.created": { en: "Person added", ja: "スタッフを追加" },
  "staff.changed": { en: "Person changed", ja: "スタッフを変更" },
  "staff.signed_in": { en: "Signed in", ja: "ログイン" },
  "staff.sign_in_failed": { en: "Sign-in failed", ja: "ログイン失敗" },
  "staff.check_failed": { en: "Own password or code was wrong", ja: "本人確認に失敗" },
  "staff.signed_out": { en: "Signed out", ja: "ログアウト" },
  "staff.locked_out": { en: "Locked out", ja: "ログインの一時停止" },
  "staff.signed_out_everywhere": { en: "Signed out everywhere", ja: "全端末からログアウト" },
  "credential.created": { en: "Credential created", ja: "API認証情報を作成" },
  "credential.changed": { en: "Credential changed", ja: "API認証情報を変更" },
  "api_secret_key.created": { en: "API secret key made", ja: "APIシークレットキーを作成" },
  "api_secret_key.changed": { en: "API secret key changed", ja: "APIシークレットキーを変更" },
  "api_secret_key.deleted": { en: "API secret key removed", ja: "APIシークレットキーを削除" },
  "subscription.created": { en: "Webhook created", ja: "Webhookを登録" },
  "subscription.changed": { en: "Webhook changed", ja: "Webhookを変更" },
  "subscription.deleted": { en: "Webhook deleted", ja: "Webhookを削除" },
  "points.adjusted": { en: "Points adjusted", ja: "ポイントを調整" },
  "points.adjustment_undone": { en: "Adjustment undone", ja: "ポイント調整を取り消し" },
  "points.adjustment_requested": { en: "Adjustment requested", ja: "ポイント調整を申請" },
  "points.adjustment_approved": { en: "Adjustment approved", ja: "ポイント調整を承認" },
  "points.adjustment_refused": { en: "Adjustment refused", ja: "ポイント調整を却下" },
  "points.adjustment_withdrawn": { en: "Adjustment withdrawn", ja: "ポイント調整の申請を取り下げ" },
  "tier.placed": { en: "Placed in a tier", ja: "会員ランクを変更" },
  "order.recomputed": { en: "Order recomputed", ja: "注文ポイントを再計算" },
  "order.task_done": { en: "Task done", ja: "対応済みにした" },
  "ledger.exported": { en: "Ledger exported", ja: "ポイント履歴を出力" },
  "export.requested": { en: "Export requested", ja: "明細の出力を依頼" },
  "import.uploaded": { en: "File uploaded", ja: "CSVをアップロード" },
  "import.check_started": { en: "Check of a file started", ja: "CSVの確認を開始" },
  "import.faults_downloaded": { en: "Rows with errors downloaded", ja: "エラー行をダウンロード" },
  "export.downloaded": { en: "Statement downloaded", ja: "明細をダウンロード" },
  "import.started": { en: "Import started", ja: "取り込みを開始" },
  "import.start_requested": { en: "Import: approval asked for", ja: "取り込みの承認を依頼" },
  "import.start_approved": { en: "Import approved", ja: "取り込みを承認" },
  "import.start_refused": { en: "Import refused", ja: "取り込みを却下" },
  "import.start_withdrawn": { en: "Request for an import withdrawn", ja: "取り込みの依頼を取り下げ" },
  "import.undo_requested": { en: "Undoing an import: approval asked for", ja: "取り込みの取り消しの承認を依頼" },
  "import.undo_approved": { en: "Undoing an import approved", ja: "取り込みの取り消しを承認" },
  "import.undo_refused": { en: "Undoing an import refused", ja: "取り込みの取り消しを却下" },
  "import.undo_withdrawn": { en: "Request to undo an import withdrawn", ja: "取り込み取り消しの依頼を取り下げ" },
  "import.given_up": { en: "Import given up", ja: "取り込みを中止" },
  "import.undo_started": { en: "Import undone", ja: "取り込みの取り消しを開始" },
  "webhooks.tested": { en: "Webhook tested", ja: "Webhookをテスト送信" },
  "delivery.replayed": { en: "Delivery sent again", ja: "通知を再送" },
  "deliveries.replayed": { en: "Deliveries sent again", ja: "通知をまとめて再送" },
  "job.requested": { en: "Job started", ja: "定期処理を実行" },
  "receipt.reprocessed": { en: "Event processed again", ja: "受信データを再処理" },
  "receipts.reprocessed": { en: "Events processed again", ja: "受信データをまとめて再処理" },
  "program.changed": { en: "Program changed", ja: "プログラム設定を変更" },
  "program.change_requested": { en: "Change of the program: approval asked for", ja: "プログラム変更の承認を依頼" },
  "program.change_approved": { en: "Change of the program approved", ja: "プログラム変更を承認" },
  "program.change_refused": { en: "Change of the program refused", ja: "プログラム変更を却下" },
  "program.change_withdrawn": { en: "Change of the program withdrawn", ja: "プログラム変更の依頼を取り下げ" },
};

const SUBJECTS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  staff: { en: "person", ja: "スタッフ" },
  credential: { en: "credential", ja: "API認証情報" },
  api_secret_key: { en: "API secret key", ja: "APIシークレットキー" },
  subscription: { en: "webhook", ja: "Webhook" },
  program: { en: "program version", ja: "プログラム設定" },
  customer: { en: "customer", ja: "会員" },
  order: { en: "order", ja: "注文" },
  import: { en: "import", ja: "CSV取り込み" },
  export: { en: "export", ja: "明細出力" },
  ledger: { en: "ledger", ja: "ポイント履歴" },
  job: { en: "job", ja: "定期処理" },
  delivery: { en: "delivery", ja: "通知" },
  receipt: { en: "event received", ja: "受信データ" },
};

export function actionText(action: string, language: Language): string {
  return ACTIONS[action]?.[language] ?? action;
}

export function subjectText(kind: string, language: Language): string {
  return SUBJECTS[kind]?.[language] ?? kind;
}
