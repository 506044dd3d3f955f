import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    title: "Choose a new password",
    welcome: (name: string) => `Welcome, ${name}`,
    subtitle: (email: string) => `Choose the password with which ${email} signs in. The link works once.`,
    password: "New password",
    passwordHint: "12 characters or more. Nobody else is told it.",
    choose: "Choose this password",
    over: "This link does not work any more",
    overHint: "It was used already, is older than three days, or another took its place. Ask an owner for another one.",
    toSignIn: "Go to the sign-in",
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
