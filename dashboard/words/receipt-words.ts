import { useLanguage } from "./language.tsx";
import { localizeWarning, type ReceiptWarning } from "./localize-warning.ts";
import { nameOf } from "./name-of.ts";
import { defineWords, useWords } from "./use-words.ts";

const words = defineWords({
  en: {
    sources: {
      manual: "Your scripts",
      neutral: "Your scripts (/intake/events)",
      shopify: "Shopify",
      woocommerce: "WooCommerce",
    },
    topics: {
      CustomerUpserted: "Customer changed",
      CustomerDeleted: "Customer deleted",
      CustomerMerged: "Customers merged",
      CustomerDataRequested: "Customer data requested",
      OrderPlaced: "Order placed",
      OrderUpdated: "Order changed",
      OrderPaid: "Order paid",
      OrderFulfilled: "Order shipped",
      OrderRefunded: "Order refunded",
      OrderCancelled: "Order cancelled",
      OrderDeleted: "Order deleted",
      ProductUpserted: "Product changed",
      CouponUsed: "Coupon used",
      CouponDeleted: "Coupon deleted",
      CouponReleased: "Coupon released",
      FlowAdjustRequested: "Points by a workflow",
      ShopUninstalled: "App uninstalled",
      ShopRedacted: "Shop's data to be erased",
    },
    kinds: { order: "Order", customer: "Customer", product: "Product", discount: "Discount", shop: "Shop" },
    notes: {
      "the order is not known yet": "Its order has not come yet.",
      "what arrived before it is processed first":
        "What arrived before it about the customer and the named orders is processed first.",
      "says nothing to this service": "It contains nothing that this service uses.",
      "kept for a person to act on: pointkeeper privacy requests":
        "Kept for a person to act on: pointkeeper privacy requests",
      "the code cannot be removed from here: its points come back at its end, or when it is deleted":
        "The code cannot be removed from here. Its points come back at its end, or when it is deleted.",
      erased: "Erased at the person's request.",
    },
  },
  ja: {
    sources: {
      manual: "スクリプト",
      neutral: "スクリプト（/intake/events）",
      shopify: "Shopify",
      woocommerce: "WooCommerce",
    },
    topics: {
      CustomerUpserted: "会員の変更",
      CustomerDeleted: "会員の削除",
      CustomerMerged: "会員の統合",
      CustomerDataRequested: "会員データの開示依頼",
      OrderPlaced: "注文",
      OrderUpdated: "注文の変更",
      OrderPaid: "支払い",
      OrderFulfilled: "発送",
      OrderRefunded: "返金",
      OrderCancelled: "注文のキャンセル",
      OrderDeleted: "注文の削除",
      ProductUpserted: "商品の変更",
      CouponUsed: "クーポンの利用",
      CouponDeleted: "クーポンの削除",
      CouponReleased: "クーポンの解放",
      FlowAdjustRequested: "ワークフローによるポイント調整",
      ShopUninstalled: "アプリのアンインストール",
      ShopRedacted: "ショップのデータ消去依頼",
    },
    kinds: { order: "注文", customer: "会員", product: "商品", discount: "クーポン", shop: "ショップ" },
    notes: {
      "the order is not known yet": "対象の注文がまだ届いていません。",
      "what arrived before it is processed first":
        "この会員と対象の注文について先に届いたデータを処理してから消去します。",
      "says nothing to this service": "このサービスで使う内容はありませんでした。",
      "kept for a person to act on: pointkeeper privacy requests":
        "スタッフの対応が必要です：pointkeeper privacy requests",
      "the code cannot be removed from here: its points come back at its end, or when it is deleted":
        "コードはここからは無効にできません。ポイントは、期限が切れたとき、またはコードが削除されたときに戻ります。",
      erased: "本人の依頼により消去されました。",
    },
  },
});

/** Returns the parts of a receipt that have texts in both languages: its sender, its subject, why it waits. Other parts are shown unchanged. */
export function useReceiptWords() {
  const t = useWords(words);
  const { language } = useLanguage();
  return {
    source: (adapter: string) => nameOf(t.sources, adapter),
    /** A text for the service's own events; a platform's topic under its own name. */
    topic: (topic: string) => nameOf(t.topics, topic),
    note: (note: string) => nameOf(t.notes, note),
    warning: (warning: ReceiptWarning) => localizeWarning(warning, language),
    /** `order/1001` is "Order 1001". */
    subject: (subject: string) => {
      const [kind = "", ...id] = subject.split("/");
      const kinds: Readonly<Record<string, string>> = t.kinds;
      const name = kinds[kind];
      return name === undefined ? subject : `${name} ${id.join("/")}`.trim();
    },
  };
}
