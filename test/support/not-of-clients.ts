/** Operations of the document that no client has: called by a platform, by a page or through a signed URL, without a credential. */
export const NOT_OF_CLIENTS = [
  "POST /intake/shopify/webhooks",
  "POST /intake/woocommerce/webhooks",
  "POST /intake/shopify/flow",
  "GET /exports/{}",
  "GET /api/customer/summary",
  "POST /api/customer/cart",
  "POST /api/customer/coupons",
];
