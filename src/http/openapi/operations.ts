import type { ProblemCode } from "../../problems.ts";

/** What the OpenAPI document says about one route in addition to its schemas. */
export interface Operation {
  /** The `operationId`: generators use it as a function name, so it never changes. */
  readonly id: string;
  /** The error codes of this route only; those of every route are added (`COMMON_CODES`). */
  readonly codes?: readonly ProblemCode[];
  /** The streamed answer of a route, which has no schema for a serialiser. */
  readonly streamed?: { readonly type: string; readonly description: string; readonly example: unknown };
}

const CUSTOMER = ["customer_not_found", "ambiguous_email"] as const;
const RESERVATION = ["reservation_not_found", "reservation_captured", "reservation_released"] as const;

/** The name of every documented route, by method and path as in the document. A new route adds its line here. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /health": { id: "checkHealth" },
  "GET /ready": { id: "checkReadiness" },
  "GET /api/storefront/tiers": { id: "listTiers" },
  "GET /api/storefront/point_balances/{id}/tier": { id: "getCustomerTier", codes: CUSTOMER },
  "GET /api/storefront/point_balances/{id}/tier_changes": { id: "listTierChanges", codes: CUSTOMER },
  "POST /api/storefront/point_balances/{id}/tiers": { id: "updateCustomerTier", codes: CUSTOMER },
  "GET /api/storefront/point_allotments": { id: "listPointAllotments" },
  "GET /api/storefront/events": { id: "listEvents" },
  "POST /api/storefront/point_allotments": {
    id: "createPointAllotment",
    codes: [...CUSTOMER, "negative_balance", "balance_limit"],
  },
  "GET /api/storefront/point_allotments/{storefront_customer_id}": {
    id: "listCustomerPointAllotments",
    codes: CUSTOMER,
  },
  "GET /api/storefront/point_balances/{storefront_customer_id}": { id: "getPointBalance", codes: CUSTOMER },
  "GET /api/storefront/point_balances/{storefront_customer_id}/expiries": {
    id: "listUpcomingExpiries",
    codes: CUSTOMER,
  },
  "POST /api/storefront/point_balances/{customer_storefront_id}/set_balances": {
    id: "setPointBalance",
    codes: [...CUSTOMER, "negative_balance", "balance_limit"],
  },
  "POST /api/storefront/point_balances/export": { id: "createPointBalanceExport" },
  "GET /api/storefront/point_balances/export/{uid}": { id: "getPointBalanceExport", codes: ["export_not_found"] },
  "GET /exports/{file}": {
    id: "downloadExportFile",
    codes: ["forbidden", "export_not_found", "gone"],
    streamed: {
      type: "text/csv",
      description: "The file, in UTF-8.",
      example:
        "storefront_id,email,name,tier,opening_balance,points_earned,points_adjusted,points_spent,points_returned,points_refunded,points_expired,closing_balance,current_balance,expires_at\r\n",
    },
  },
  "GET /api/storefront/orders": { id: "listOrderPointData" },
  "POST /api/storefront/orders/preview": { id: "previewOrderPoints", codes: CUSTOMER },
  "PUT /api/storefront/products/{id}": { id: "updateProduct" },
  "POST /api/storefront/coupons": { id: "createCoupon", codes: [...CUSTOMER, "negative_balance"] },
  "GET /api/storefront/coupons/{code}": { id: "getCoupon", codes: ["coupon_not_found"] },
  "DELETE /api/storefront/coupons/{code}": { id: "deleteCoupon", codes: ["coupon_not_found", "coupon_used"] },
  "POST /api/storefront/reservations": { id: "createReservation", codes: [...CUSTOMER, "negative_balance"] },
  "GET /api/storefront/reservations/{id}": { id: "getReservation", codes: ["reservation_not_found"] },
  "POST /api/storefront/reservations/{id}/capture": { id: "captureReservation", codes: RESERVATION },
  "POST /api/storefront/reservations/{id}/release": { id: "releaseReservation", codes: RESERVATION },
  "GET /api/storefront/customers/{id}": { id: "getCustomer", codes: CUSTOMER },
  "PUT /api/storefront/customers/{id}": { id: "putCustomer", codes: CUSTOMER },
  "GET /api/storefront/customers/{id}/merged": { id: "listMergedCustomers", codes: CUSTOMER },
  "GET /api/storefront/customers/{id}/data": {
    id: "getCustomerData",
    codes: CUSTOMER,
    streamed: {
      type: "application/json",
      description: "Everything stored about the customer, by kind: each a list or an object.",
      example: { customer: { id: "4567890123" }, allotments: [] },
    },
  },
  "GET /api/storefront/webhooks": { id: "listWebhookSubscriptions" },
  "POST /api/storefront/webhooks": { id: "createWebhookSubscription", codes: ["subscription_exists"] },
  "DELETE /api/storefront/webhooks": { id: "deleteWebhookSubscription", codes: ["subscription_not_found"] },
  "GET /api/storefront/point_allotments/uid/{uid}/explanation": { id: "explainPointAllotment", codes: ["not_found"] },
  "GET /api/storefront/point_balances/{id}/explanation": { id: "explainPointBalance", codes: CUSTOMER },
  "GET /api/storefront/point_balances/{id}/tier/explanation": { id: "explainCustomerTier", codes: CUSTOMER },
  "GET /api/storefront/point_allotments/uid/{uid}/proof": {
    id: "provePointAllotment",
    codes: ["not_found", "proof_not_ready", "ledger_altered"],
  },
  "GET /api/storefront/ledger/checkpoint": { id: "getLedgerCheckpoint", codes: ["proof_not_ready"] },
  "GET /api/customer/summary": { id: "getCustomerSummary" },
  "POST /api/customer/cart": { id: "previewCustomerCart" },
  "POST /api/customer/coupons": { id: "redeemCustomerPoints", codes: ["negative_balance"] },
  "GET /api/storefront/reports/liability": { id: "getLiabilityReport" },
  "GET /api/storefront/reports/liability/movements": { id: "listLiabilityMovements" },
  "GET /api/storefront/reports/liability/journal": {
    id: "downloadLiabilityJournal",
    streamed: {
      type: "text/csv",
      description: "The entries, in UTF-8.",
      example: "date,account,debit,credit,currency,description,reference,status\n",
    },
  },
  "POST /intake/shopify/webhooks": { id: "receiveShopifyWebhook", codes: ["unauthorized"] },
  "POST /intake/woocommerce/webhooks": { id: "receiveWooCommerceWebhook", codes: ["unauthorized"] },
  "POST /intake/events": { id: "createEvents" },
  "POST /intake/shopify/flow": { id: "receiveShopifyFlowAction", codes: ["unauthorized", ...CUSTOMER] },
  "GET /sandbox/clock": { id: "getSandboxClock" },
  "PUT /sandbox/clock": { id: "setSandboxClock" },
};

/** The other spellings of a route (interface.md 4): they behave the same, and generators make no second function for them. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  "GET /api/storefront/point_balances/{id}/tier": ["/point_balance/{id}/tier"],
  "GET /api/storefront/point_balances/{id}/tier_changes": ["/point_balance/{id}/tier_changes"],
  "POST /api/storefront/point_balances/{id}/tiers": [
    "/point_balances/{id}",
    "/point_balance/{id}/tiers",
    "/point_balance/{id}",
  ],
  "GET /api/storefront/point_balances/{storefront_customer_id}": ["/point_balance/{storefront_customer_id}"],
  "GET /api/storefront/point_balances/{storefront_customer_id}/expiries": [
    "/point_balance/{storefront_customer_id}/expiries",
  ],
  "POST /api/storefront/point_balances/{customer_storefront_id}/set_balances": [
    "/point_balances/{customer_storefront_id}/set_balance",
    "/point_balance/{customer_storefront_id}/set_balances",
    "/point_balance/{customer_storefront_id}/set_balance",
  ],
  "POST /api/storefront/point_balances/export": ["/point_balance/export"],
};

/** The descriptions of the routes' tags, in the order of the document. */
export const TAGS: Readonly<Record<string, string>> = {
  "Point balances": "The points that a customer has, and when they expire.",
  "Point allotments": "The changes of balances. An allotment is never changed or deleted.",
  Reservations: "Points that are held for a time and then captured or released.",
  Coupons: "Points spent on a code for a discount.",
  Tiers: "The ranks of the program and the tier of each customer.",
  Orders: "What orders earned and would earn, and data of products.",
  Customers: "Profiles of customers, merges, and everything that is stored about a person.",
  Exports: "All balances as a CSV file, announced by a webhook.",
  Webhooks: "Subscriptions to events.",
  Events: "What happened to points, in order, resumable by cursor.",
  Explanations: "How a number was computed, in sentences and figures.",
  Proofs: "Signed proofs that the ledger was not changed by hand.",
  Storefront: "Data of one customer for a page of the shop, with a token that the store's server signed.",
  Reports: "Points owed to customers and revenue deferred for them, for the accountant.",
  Intake: "Events that a platform or a script sends.",
  Service: "Health of the service, and the test clock of a sandbox.",
};

/** The error codes of every route, of every route that needs a credential, and of every route that reads a body. */
export const COMMON_CODES = {
  every: ["bad_request", "invalid", "too_many_requests", "internal", "unavailable"],
  credential: ["unauthorized", "forbidden"],
  customer: ["token_expired"],
  body: ["invalid_json", "body_too_large", "unsupported_media_type", "request_timeout"],
  idempotent: ["idempotency_mismatch", "idempotency_running"],
} as const satisfies Record<string, readonly ProblemCode[]>;

/** Returns a name for a route that is not in the table (of a bench or a test), made from its method and path. */
export function derivedOperationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
