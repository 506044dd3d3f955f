import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    title: "Welcome",
    subtitle: "Create the first account. It is the owner: it can do everything, and invite others.",
    code: "Setup code",
    codeHint: "The service printed it at startup; it is also in the file setup-code in the data folder.",
    name: "Your name",
    email: "E-mail",
    password: "Password",
    passwordHint: "12 characters or more",
    create: "Create the owner",
    otherLanguage: "日本語",
  },
  ja: {
    title: "ようこそ",
    subtitle: "最初のアカウントを作成します。すべての操作ができるオーナーとなり、ほかのスタッフを招待できます。",
    code: "セットアップコード",
    codeHint: "サービスの起動時に表示されます。データフォルダーのファイル setup-code にも保存されています。",
    name: "お名前",
    email: "メールアドレス",
    password: "パスワード",
    passwordHint: "12文字以上",
    create: "オーナーを作成",
    otherLanguage: "English",
  },
});
