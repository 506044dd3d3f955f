/** Refusals of imports that are a part of another one, or give something once more, in Japanese. */
export const IMPORT_REFUSALS_JA: readonly (readonly [RegExp, string])[] = [
  [
    /^expected true to give points once more to customers who received some from an earlier file of the app$/,
    "同じアプリの以前のファイルでポイントを受け取った会員がいます。もう一度付与する場合は、その設定を選んでください",
  ],
  [
    /^expected true to count orders once more that an earlier file of the app brought$/,
    "同じアプリの以前のファイルでインポートした注文があります。もう一度加える場合は、その設定を選んでください",
  ],
  [
    /^expected an import of its own: this one is a part of a file of another app, which is checked as a whole$/,
    "別のアプリのファイルの一部です。ファイル全体でのみ確認できます",
  ],
  [
    /^expected an import of its own: this one is a part of a file of another app, which is started as a whole$/,
    "別のアプリのファイルの一部です。ファイル全体でのみインポートを開始できます",
  ],
  [
    /^expected an import of its own: the command pointkeeper import began this one and has it (?:checked|started)/,
    "コマンド pointkeeper import によるインポートです。同じファイルでコマンドを再実行してください",
  ],
];
