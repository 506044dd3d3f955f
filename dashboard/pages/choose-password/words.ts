import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    title: "Choose your password",
    subtitle: "The password you signed in with was temporary and no longer works. Choose your own to continue.",
    password: "New password",
    passwordHint: "12 characters or more",
    choose: "Choose this password",
    signOut: "Sign out",
    otherLanguage: "日本語",
  },
  ja: {
    title: "パスワードの設定",
    subtitle:
      "ログインに使ったパスワードは自動で発行されたもので、もう使用できません。はじめに新しいパスワードを設定してください。",
    password: "新しいパスワード",
    passwordHint: "12文字以上",
    choose: "このパスワードに設定",
    signOut: "ログアウト",
    otherLanguage: "English",
  },
});
