/** The lists that have saved views, and the filters that a view stores. No filter names a customer. */
export const VIEW_FILTERS = {
  customers: ["tier", "sort"],
  orders: ["state", "from", "to"],
  ledger: ["type", "direction", "from", "to", "source", "at_least", "at_most"],
  deliveries: ["state", "topic", "since", "until"],
  audit: ["actor", "action", "from", "to"],
  receipts: ["state", "warned", "topic"],
  approvals: ["list"],
  results: ["kind"],
  mails: ["about", "state"],
} as const satisfies Record<string, readonly string[]>;

export type ViewList = keyof typeof VIEW_FILTERS;
export const VIEW_LISTS = Object.keys(VIEW_FILTERS) as readonly ViewList[]; // cast: the keys of the object above

/** The maximum number of a person's own views, over all lists, and of the store's shared views. */
export const VIEWS_MAX = { own: 100, shared: 100 } as const;
export const VIEW_NAME_MAX = 60;
