/** What a warning of a received event is about, and the values that stand in its sentence. Amounts are written `12.50 USD`. */
export interface EventWarningValues {
  readonly guest_customer: never;
  readonly guest_order: never;
  readonly other_currency: "currency" | "store";
  readonly discounts_above_line: "amount";
  readonly coupons_on_no_line: "amount";
  readonly discount_total_below_lines: "stated" | "lines";
  readonly discount_of_shipping: "amount";
  readonly discount_above_goods: "amount";
  readonly discount_shared_out: "amount";
  readonly subtotal_differs: "stated" | "lines";
  readonly tax_differs: "stated" | "lines";
  readonly total_differs: "stated" | "lines";
  readonly partial_without_shipments: never;
  readonly shipment_without_units: never;
  readonly unknown_line: never;
  readonly shipped_above_ordered: "ordered" | "shipped";
  readonly passed_over: never;
  readonly rounded: "places" | "currency";
  readonly ids_differ: "number" | "gid";
  readonly plain_amount_taken: "currency" | "plain";
}

export type EventWarningKind = keyof EventWarningValues;

/** A warning as it is kept with its receipt. Kind and values are for those who say it in another language than English. */
export interface EventWarning {
  readonly pointer: string;
  /** An English sentence. */
  readonly detail: string;
  readonly kind: EventWarningKind;
  readonly values: Readonly<Record<string, string>>;
}

/** The kind of a warning with all values that its sentence has. */
export type SaidWarning = {
  [Kind in EventWarningKind]: {
    readonly kind: Kind;
    readonly values: Readonly<Record<EventWarningValues[Kind], string>>;
  };
}[EventWarningKind];
