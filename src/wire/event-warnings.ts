/** The subject of a warning about a received event, and the values of its sentence. Amounts are written `12.50 USD`. */
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

/** A warning as it is stored with its receipt. Kind and values allow showing it in languages other than English. */
export interface EventWarning {
  readonly pointer: string;
  /** An English sentence. */
  readonly detail: string;
  readonly kind: EventWarningKind;
  readonly values: Readonly<Record<string, string>>;
}

/** The kind of a warning with all values of its sentence. */
export type WarningContent = {
  [Kind in EventWarningKind]: {
    readonly kind: Kind;
    readonly values: Readonly<Record<EventWarningValues[Kind], string>>;
  };
}[EventWarningKind];
