import { defineWords } from "../../words/use-words.ts";

export const connectWords = defineWords({
  en: {
    none: "Nothing has been received",
    noneHint: "Orders and customers arrive here once your platform, or another system, is connected.",
    platforms: { shopify: "Shopify", woocommerce: "WooCommerce" },
    isSet: "Secret is set",
    isNotSet: "Not connected",
    connectHint:
      "Whoever runs this service connects it with one command, which adds the webhooks and reads the orders so far. Webhooks can also be added by hand.",
    command: "Command",
    byHand: "Address for webhooks",
    secret: "Setting with their secret",
    guide: "Each step",
    other: "Another system",
    otherHint: "A script or another shop system sends events of orders and customers itself.",
    address: "Address for events",
    credential: "Credential",
    makeCredential: "Create one under Credentials",
    askOwner: "An owner makes one under Credentials",
  },
  ja: {
    none: "受信データはまだありません",
    noneHint: "ECサイトやほかのシステムを接続すると、注文と会員のデータがここに届きます。",
    platforms: { shopify: "Shopify", woocommerce: "WooCommerce" },
    isSet: "シークレット設定済み",
    isNotSet: "未接続",
    connectHint:
      "サービスの管理者がコマンド1つで接続できます。Webhookが登録され、これまでの注文もインポートされます。Webhookは手動でも登録できます。",
    command: "コマンド",
    byHand: "Webhookの送信先",
    secret: "シークレットの設定名",
    guide: "詳しい手順",
    other: "ほかのシステム",
    otherHint: "スクリプトやほかのECシステムから、注文と会員のイベントを直接送信します。",
    address: "イベントの送信先",
    credential: "認証情報",
    makeCredential: "「API認証情報」で作成",
    askOwner: "オーナーが「API認証情報」で作成します",
  },
});
