import { defineWords } from "./use-words.ts";

const OTHER_EN = "The sign-in could not be completed. Try again.";
const OTHER_JA = "ログインを完了できませんでした。もう一度お試しください。";

/** Why an attempt at the identity provider did not succeed. */
export const oidcWords = defineWords({
  en: {
    other: OTHER_EN,
    reasons: {
      state: "The sign-in took too long, or was started in another browser or tab. Try again.",
      cancelled: "The sign-in was cancelled.",
      unreachable: "The identity provider does not respond. Try again in a minute.",
      invalid: OTHER_EN,
      too_many: "Too many sign-ins failed. Try again later.",
      acr: "The store requires a stronger sign-in at the identity provider.",
      no_role: "Your company account has no role here. Ask your administrator.",
      no_account: "There is no account for you here. Ask an owner to invite you.",
      no_email: "The identity provider does not vouch for your e-mail address.",
      email_taken: "An account with your e-mail address exists already. Sign in to it, then link it under Account.",
      taken: "This company account is linked to another person, or this account is linked already.",
      disabled: "Your account is disabled.",
      last_owner:
        "You are the only owner, and the identity provider gives you a lower role. Make somebody else an owner first.",
      other_person: "You signed in as another person.",
      not_recent: "The identity provider did not ask who you are. Sign in there again.",
      session: "Your session has ended or was not confirmed. Try again.",
    } as Readonly<Record<string, string>>, // cast: the key is a text of the address
  },
  ja: {
    other: OTHER_JA,
    reasons: {
      state: "時間がかかりすぎたか、別のブラウザーまたはタブで開始されました。もう一度お試しください。",
      cancelled: "ログインは中止されました。",
      unreachable: "認証サービスが応答しません。しばらくしてからお試しください。",
      invalid: OTHER_JA,
      too_many: "ログインの失敗が続いたため、しばらくしてからお試しください。",
      acr: "このストアでは、認証サービスでのより強い認証が必要です。",
      no_role: "会社のアカウントに権限が割り当てられていません。管理者にお問い合わせください。",
      no_account: "アカウントがありません。オーナーに招待を依頼してください。",
      no_email: "認証サービスでメールアドレスが確認されていません。",
      email_taken: "同じメールアドレスのアカウントがあります。ログインしてから「アカウント」で連携してください。",
      taken: "この会社アカウントはほかの人と連携されているか、このアカウントはすでに連携済みです。",
      disabled: "アカウントは停止されています。",
      last_owner:
        "あなたは唯一のオーナーですが、認証サービスの権限が異なります。先にほかのオーナーを設定してください。",
      other_person: "別の人としてログインしました。",
      not_recent: "認証サービスで本人確認が行われませんでした。もう一度ログインしてください。",
      session: "セッションが終了したか、本人確認が済んでいません。もう一度お試しください。",
    },
  },
});
