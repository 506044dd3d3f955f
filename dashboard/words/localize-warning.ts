import type { EventWarningKind, EventWarningValues } from "../../src/wire/event-warnings.ts";
import type { Language } from "../../src/wire/language.ts";

export interface ReceiptWarning {
  readonly detail: string;
  /** Null: stored before warnings had kinds. */
  readonly kind: string | null;
  readonly values: Readonly<Record<string, string>>;
}

type ValuesOf<Kind extends EventWarningKind> = Readonly<Record<EventWarningValues[Kind], string>>;

/** The field of a sentence is shown beside it. */
const JAPANESE: { readonly [Kind in EventWarningKind]: (values: ValuesOf<Kind>) => string } = {
  guest_customer: () => "会員IDが0です。0はゲストの注文に使われるIDのため、このIDの注文はゲストの注文として扱われます",
  guest_order: () => "会員IDが0のため、ゲストの注文として受け取りました",
  other_currency: ({ currency, store }) =>
    `通貨が${currency}で、ストアのポイントの通貨（${store}）と異なります。このままではポイントは付きません`,
  discounts_above_line: ({ amount }) => `値引きが${amount}で、この商品の金額を超えています`,
  coupons_on_no_line: ({ amount }) =>
    `値引き${amount}がどの商品にも割り当てられていません。値引きがないものとしてポイントを計算します`,
  discount_total_below_lines: ({ stated, lines }) =>
    `値引きの合計は${stated}ですが、商品ごとの値引きを足すと${lines}です`,
  discount_of_shipping: ({ amount }) =>
    `値引き${amount}がどの商品にも割り当てられていません。合計金額から、送料の値引きとみなしました`,
  discount_above_goods: ({ amount }) =>
    `どの商品にも割り当てられていない値引き${amount}が商品の金額を超えるため、ポイントは付きません`,
  discount_shared_out: ({ amount }) =>
    `どの商品にも割り当てられていない値引き${amount}を、商品の金額に応じて割り振りました`,
  subtotal_differs: ({ stated, lines }) => `小計は${stated}ですが、値引き後の商品の合計は${lines}です`,
  tax_differs: ({ stated, lines }) => `税額は${stated}ですが、商品ごとの税額を足すと${lines}です`,
  total_differs: ({ stated, lines }) => `合計は${stated}ですが、商品・送料・税・チップを足すと${lines}です`,
  partial_without_shipments: () =>
    "一部発送とありますが、発送した商品が示されていません。示されるまで発送とみなしません",
  shipment_without_units: () => "発送した商品の数が示されていないため、発送とみなしません",
  unknown_line: () => "この注文にない商品のため、計算に使いませんでした",
  shipped_above_ordered: ({ ordered, shipped }) => `注文は${ordered}個ですが、発送は${shipped}個です`,
  passed_over: () => "読み取れない値のため、使いませんでした",
  rounded: ({ currency, places }) => `${currency}の小数点以下は${places}桁までのため、四捨五入しました`,
  ids_differ: ({ number, gid }) => `IDの数値（${number}）とgid（${gid}）が異なるため、数値のほうを使いました`,
  plain_amount_taken: ({ currency, plain }) => `注文の通貨（${currency}）と異なるため、代わりに${plain}を使いました`,
};

/** Returns a warning about a received event in the page's language; one that is newer than this page in the service's own words. */
export function localizeWarning({ detail, kind, values }: ReceiptWarning, language: Language): string {
  if (language !== "ja" || kind === null || !Object.hasOwn(JAPANESE, kind)) return detail;
  // cast: the kind is known here, and the service stores all values of its sentence with it
  return JAPANESE[kind as EventWarningKind](values as ValuesOf<EventWarningKind>);
}
