import type { Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";
import type { MessageText } from "./message.ts";

/** The texts used where the store has not written its own. */
export const BUILT_IN_TEXTS: Readonly<Record<MessageKind, Readonly<Record<Language, MessageText>>>> = {
  expiry_reminder: {
    en: {
      subject: "Your points expire soon",
      text: `Hello {name},

{expiring_points} of your points at {store} expire on {expires_on}. You can use them up to and including {last_day}.

You have {points} points in all.

{store}`,
    },
    ja: {
      subject: "ポイントの有効期限が近づいています",
      text: `{name}様

{store}のポイントのうち{expiring_points}ポイントは、{expires_on}に失効します。{last_day}までご利用いただけます。

現在の保有ポイントは{points}ポイントです。

{store}`,
    },
  },
  tier_reached: {
    en: {
      subject: "You have reached {tier}",
      text: `Hello {name},

You have reached {tier} at {store}. Thank you for your purchases.

You have {points} points.

{store}`,
    },
    ja: {
      subject: "会員ランクが{tier}になりました",
      text: `{name}様

{store}の会員ランクが{tier}になりました。いつもご利用いただきありがとうございます。

現在の保有ポイントは{points}ポイントです。

{store}`,
    },
  },
  birthday: {
    en: {
      subject: "Happy birthday from {store}",
      text: `Hello {name},

Happy birthday from all of us at {store}.

You have {points} points.

{store}`,
    },
    ja: {
      subject: "お誕生日おめでとうございます",
      text: `{name}様

お誕生日おめでとうございます。

現在の保有ポイントは{points}ポイントです。

{store}`,
    },
  },
  statement: {
    en: {
      subject: "Your points in {month}",
      text: `Hello {name},

Your points at {store} in {month}:

Earned: {earned}
Used: {used}
Expired: {expired}

You have {points} points now. Your tier is {tier}.

{store}`,
    },
    ja: {
      subject: "{month}のポイント明細",
      text: `{name}様

{store}の{month}のポイント明細をお知らせします。

獲得：{earned}ポイント
利用：{used}ポイント
失効：{expired}ポイント

現在の保有ポイントは{points}ポイント、会員ランクは{tier}です。

{store}`,
    },
  },
};

/** Used in place of an unknown name. */
export const NO_NAME: Readonly<Record<Language, string>> = { en: "there", ja: "お客" };

/** The last lines of every message; the store cannot remove them. */
export const FOOTERS: Readonly<Record<Language, (store: string, link: string) => string>> = {
  en: (store, link) =>
    `—\nYou receive this because you agreed to receive mails from ${store}. Unsubscribe from mails about points: ${link}`,
  ja: (store, link) =>
    `—\nこのメールは、${store}からのメールの受信に同意された方へお送りしています。ポイントに関するメールの配信停止：${link}`,
};

/** The prefix of the subject of a test message. */
export const TEST_MARKS: Readonly<Record<Language, string>> = { en: "[Test]", ja: "【テスト】" };
