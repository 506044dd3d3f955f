import type { CustomerSpec } from "./order-spec.ts";
import type { Body } from "./platform-json.ts";

/** The body of customers/create and customers/update, as of API 2026-04: no tags, no consent. */
export function buildCustomer(customer: CustomerSpec): Body {
  return {
    id: BigInt(customer.id),
    created_at: customer.createdAt,
    updated_at: customer.updatedAt,
    first_name: customer.firstName,
    last_name: customer.lastName,
    state: customer.state,
    note: null,
    verified_email: true,
    multipass_identifier: null,
    tax_exempt: false,
    email: customer.email,
    phone: null,
    currency: "JPY",
    addresses: [],
    tax_exemptions: [],
    admin_graphql_api_id: `gid://shopify/Customer/${customer.id}`,
    default_address: null,
  };
}

/** The body of customers_email_marketing_consent/update. */
export function buildEmailConsent(customer: CustomerSpec, subscribed: boolean, at: string): Body {
  return {
    customer_id: BigInt(customer.id),
    email_address: customer.email,
    email_marketing_consent: {
      state: subscribed ? "subscribed" : "not_subscribed",
      opt_in_level: "single_opt_in",
      consent_updated_at: at,
    },
  };
}
