import { defineWords } from "../../words/use-words.ts";

export const uploadWords = defineWords({
  en: {
    kindHints: {
      points: "Email or id, Points, Expiration extension; optionally Reason and Note.",
      tiers: "Email or id, Tier, Minimum tier, Skip next check. A tier by its name, uid or position, counted from 0.",
      customers:
        "Id, Email, Name, Birthday, Accepts marketing, Account enabled; an empty cell keeps the current value. The id is the storefront's; if the file has another app's ids, match by e-mail.",
    },
    drop: "Drop a CSV file here",
    dropOr: "or choose one",
    choose: "Choose a file",
    dropHint: "UTF-8, Shift_JIS or UTF-16; commas, tabs or semicolons; up to 512 MB.",
    whatKind: "What does the file contain?",
    uploadingFile: (name: string) => `Uploading ${name}`,
    sameFile: (name: string, by: string, at: string) => `This file was uploaded before as “${name}”, by ${by}, ${at}.`,
    openIt: "Open that import",
  },
  ja: {
    kindHints: {
      points: "メールアドレスまたはID、ポイント、有効期限延長。理由とメモも使えます。",
      tiers:
        "メールアドレスまたはID、会員ランク、最低ランク、次回判定をスキップ。会員ランクは名前、uid、または0からの順番で指定します。",
      customers:
        "顧客ID、メールアドレス、名前、誕生日、マーケティング同意、アカウント有効。空欄の項目は変更しません。IDはストアの顧客IDです。他のアプリのIDの場合はメールアドレスで照合してください。",
    },
    drop: "CSVファイルをここにドロップ",
    dropOr: "または",
    choose: "ファイルを選択",
    dropHint: "UTF-8、Shift_JIS、UTF-16。カンマ、タブ、セミコロン区切り。512 MBまで。",
    whatKind: "取り込む内容",
    uploadingFile: (name) => `${name}をアップロード中`,
    sameFile: (name, by, at) => `同じ内容のファイルがすでにアップロードされています（「${name}」、${by}、${at}）。`,
    openIt: "そのインポートを開く",
  },
});
