import { defineWords } from "../../words/use-words.ts";

export const uploadWords = defineWords({
  en: {
    kindHints: {
      move: "A file exported by Smile.io, LoyaltyLion, Yotpo, Rivo, BON, Joy, Stamped, Growave or easyPoints: customers, points with their dates, tiers. It is recognised by its column names, and undone as a whole.",
      spend:
        "Email or id, Spent, Date: what customers spent elsewhere, counted toward tiers; no points. One row per order or per customer.",
      history: "Email or id, Date, Points, What happened, Note: shown beside a customer's points, never counted.",
      points: "Email or id, Points, Expiration extension; optionally Reason and Note.",
      tiers: "Email or id, Tier, Minimum tier, Skip next check. A tier by its name, uid or position, counted from 0.",
      customers:
        "Id, Email, Name, Birthday, Accepts marketing, Account enabled; an empty cell keeps the current value. The id is the storefront's; if the file has another app's ids, match by e-mail.",
    },
    drop: "Drop a CSV file here",
    dropOr: "or choose one",
    choose: "Choose a file",
    dropHint: "UTF-8, Shift_JIS, Windows-1252 or UTF-16; commas, tabs or semicolons; up to 512 MB.",
    sample: "Download a sample file with all columns",
    whatKind: "What does the file contain?",
    uploadingFile: (name: string) => `Uploading ${name}`,
    uploaded: (name: string) => `${name} is uploaded: check and start it under Imports`,
    sameFile: (name: string, by: string, at: string) =>
      `This file was uploaded before as “${name}”, by ${by}, ${at}, and counts once. Undo that import, or discard it, to import the file again.`,
    tooLarge: (name: string, size: string, most: string) =>
      `“${name}” has ${size} MB: a file may have at most ${most} MB. Split it, each part with the first line, and import the parts one after the other. On macOS and Linux this command makes parts of 1,000,000 lines:`,
    splitCommand: "The command that splits the file",
    openIt: "Open that import",
  },
  ja: {
    kindHints: {
      move: "Smile.io、LoyaltyLion、Yotpo、Rivo、BON、Joy、Stamped、Growave、easyPointsからエクスポートしたファイル。会員、期限付きのポイント、会員ランクをインポートします。列名から判断し、後からまとめて取り消せます。",
      spend:
        "メールアドレスまたはID、購入金額、日付。他での購入金額を会員ランクの判定に含めます。ポイントは付きません。",
      history:
        "メールアドレスまたはID、日付、ポイント、内容、メモ。会員のポイントの横に表示するだけで、集計には含めません。",
      points: "メールアドレスまたはID、ポイント、有効期限延長。理由とメモも使えます。",
      tiers:
        "メールアドレスまたはID、会員ランク、最低ランク、次回判定をスキップ。会員ランクは名前、uid、または0からの順番で指定します。",
      customers:
        "会員ID、メールアドレス、名前、誕生日、マーケティング同意、アカウント有効。空欄の項目は変更しません。IDはストアの会員IDです。他のアプリのIDの場合はメールアドレスで照合してください。",
    },
    drop: "CSVファイルをここにドロップ",
    dropOr: "または",
    choose: "ファイルを選択",
    dropHint: "UTF-8、Shift_JIS、Windows-1252、UTF-16。カンマ、タブ、セミコロン区切り。512 MBまで。",
    sample: "全項目入りのサンプルCSVをダウンロード",
    whatKind: "インポートする内容",
    uploadingFile: (name) => `${name}をアップロード中`,
    uploaded: (name) => `${name}をアップロードしました。「インポート」で確認して開始してください`,
    sameFile: (name, by, at) =>
      `同じ内容のファイルがすでにアップロードされています（「${name}」、${by}、${at}）。同じファイルは1回だけ反映されます。もう一度インポートするには、そのインポートを取り消すか中止してください。`,
    tooLarge: (name, size, most) =>
      `「${name}」は${size} MBです。ファイルは${most} MBまでです。1行目を各ファイルに残して分割し、順にインポートしてください。macOSとLinuxでは、次のコマンドで100万行ごとに分割できます。`,
    splitCommand: "ファイルを分割するコマンド",
    openIt: "そのインポートを開く",
  },
});
