import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    title: "Choose a new password",
    welcome: (name: string) => `Welcome, ${name}`,
    subtitle: (email: string) => `Choose a password for ${email}. The link works once.`,
    password: "New password",
    passwordHint: "12 characters or more. Nobody else sees it.",
    choose: "Choose this password",
    over: "This link no longer works",
    overHint:
      "It has been used, is more than three days old, or was replaced by a newer link. Ask an owner for a new one.",
    toSignIn: "Go to sign-in",
    otherLanguage: "日本語",
  },
  ja: {
    title: "新しいパスワードの設定",
    welcome: (name) => `ようこそ、${name}さん`,
    subtitle: (email) => `${email} でログインするためのパスワードを設定してください。このリンクは一度だけ使えます。`,
    password: "新しいパスワード",
    passwordHint: "12文字以上。ほかの人には知らされません。",
    choose: "このパスワードに設定",
    over: "このリンクは使用できません",
    overHint:
      "すでに使用されたか、発行から3日が過ぎたか、新しいリンクが発行されています。オーナーに再発行を依頼してください。",
    toSignIn: "ログイン画面へ",
    otherLanguage: "English",
  },
});
