import { isBirthdayText } from "../birthday.ts";
import type { EventContent } from "../event-content.ts";
import {
  addFault,
  addNote,
  at,
  has,
  ifGiven,
  ifKnown,
  type JsonReader,
  onlyKnown,
  readInstant,
  readListOrNone,
} from "../json-reader.ts";
import { isObject, JsonNumber } from "../json-source.ts";
import type { Birthday, CustomerFacts } from "../neutral-events.ts";
import {
  instantIfGiven,
  isTrue,
  parseGid,
  readEmail,
  readEntityId,
  readGid,
  readShopifyId,
  readTags,
  readTitle,
  refuseFields,
  type TopicTranslation,
} from "./fields.ts";

const NOT_OF_A_CUSTOMER = ["line_items", "order_id", "customer", "shop_domain"];
const NOT_OF_A_DELETION = ["state", "email", "created_at", "first_name", "last_name", "orders_count", "currency"];

/** customers/create, update, enable, disable: one form, so the state decides and not the topic (platforms.md 1.3). */
export const translateCustomer: TopicTranslation = (body) => {
  refuseFields(body, "customers/*", NOT_OF_A_CUSTOMER);
  if (typeof at(body, "state").value !== "string") addFault(at(body, "state"), "the state of the account");
  return [stateCustomer(body)];
};

/**
 * Reads the facts of a customer's body, or of the customer inside an order. Absent fields are unknown: bodies have fewer fields since API
 * 2025-01.
 */
function stateCustomer(body: JsonReader): EventContent {
  const version = instantIfGiven(at(body, "updated_at"));
  const facts = customerFacts(body);
  return {
    type: "CustomerUpserted",
    subject: `customer/${facts.customerId}`,
    factKey: `customer/${facts.customerId}@${at(body, "updated_at").value ?? ""}`,
    payload: facts,
    ...onlyKnown({ occurredAt: version, entityVersion: version }),
  };
}

function customerFacts(body: JsonReader): CustomerFacts {
  const state = at(body, "state").value;
  return {
    customerId: readEntityId(body, "Customer"),
    ...onlyKnown({
      email: ifKnown(at(body, "email"), readEmail),
      name: fullName(body),
      accountEnabled: typeof state === "string" ? state === "enabled" : undefined,
      birthday: birthday(body),
      createdAt: instantIfGiven(at(body, "created_at")),
      tags: readTags(at(body, "tags")),
    }),
    ...consent(body),
  };
}

/** `accepts_marketing` exists only in old versions; if both exist, the consent is the newer statement. */
function consent(body: JsonReader): Pick<CustomerFacts, "acceptsMarketing" | "consentUpdatedAt"> {
  const said = at(body, "email_marketing_consent");
  if (isObject(said.value)) {
    const since = instantIfGiven(at(said, "consent_updated_at"));
    return { acceptsMarketing: at(said, "state").value === "subscribed", ...onlyKnown({ consentUpdatedAt: since }) };
  }
  const old = at(body, "accepts_marketing");
  const since = instantIfGiven(at(body, "accepts_marketing_updated_at"));
  return typeof old.value === "boolean"
    ? { acceptsMarketing: old.value, ...onlyKnown({ consentUpdatedAt: since }) }
    : {};
}

function fullName(body: JsonReader): string | null | undefined {
  if (!has(body, "first_name") && !has(body, "last_name")) return undefined;
  const parts = [at(body, "first_name"), at(body, "last_name")].map((part) => readTitle(part).trim());
  return parts.filter((part) => part !== "").join(" ") || null;
}

/** No body contains it directly: it is read from the standard metafield, if the subscription includes it (platforms.md 1.5). */
function birthday(body: JsonReader): Birthday | undefined {
  const dates = readListOrNone(at(body, "metafields"), (field) => {
    const isBirthDate = at(field, "namespace").value === "facts" && at(field, "key").value === "birth_date";
    return isBirthDate ? readTitle(at(field, "value")) : "";
  });
  return dates.find(isBirthdayText);
}

/** customers/delete contains little more than the id. A complete customer's body that is replayed under this topic deletes nobody. */
export const translateCustomerDeletion: TopicTranslation = (body) => {
  refuseFields(body, "customers/delete", [...NOT_OF_A_CUSTOMER, ...NOT_OF_A_DELETION]);
  const customerId = readGid(at(body, "admin_graphql_api_id"), ["Customer"]);
  return [
    {
      type: "CustomerDeleted",
      subject: `customer/${customerId}`,
      factKey: `customer-deleted/${customerId}`,
      payload: { customerId, reason: "deleted" },
    },
  ];
};

/** customers/merge is also sent for failed merges, which are ignored. */
export const translateCustomerMerge: TopicTranslation = (body) => {
  const keptId = readGid(at(body, "admin_graphql_api_customer_kept_id"), ["Customer"]);
  const removedId = readGid(at(body, "admin_graphql_api_customer_deleted_id"), ["Customer"]);
  if (at(body, "status").value !== "completed") return [];
  return [
    {
      type: "CustomerMerged",
      subject: `customer/${keptId}`,
      factKey: `customer-merged/${keptId}/${removedId}`,
      payload: { keptId, removedId },
    },
  ];
};

/** customers_email_marketing_consent/update: the e-mail opt-in. The topic with the similar name is about SMS. */
export const translateEmailConsent: TopicTranslation = (body) => {
  const customerId = readShopifyId(at(body, "customer_id"));
  const said = at(body, "email_marketing_consent");
  if (typeof at(said, "state").value !== "string") addFault(at(said, "state"), "the state of the consent");
  const since = instantIfGiven(at(said, "consent_updated_at"));
  return [
    {
      type: "CustomerUpserted",
      subject: `customer/${customerId}`,
      factKey: `consent/${customerId}@${at(said, "consent_updated_at").value ?? ""}`,
      payload: { customerId, ...consent(body) },
      ...onlyKnown({ occurredAt: since }),
    },
  ];
};

/** customer.tags_added and customer.tags_removed: the same form, distinguished only by the topic. */
export function translateTags(field: "tagsAdded" | "tagsRemoved"): TopicTranslation {
  return (body) => {
    const customerId = readGid(at(body, "customerId"), ["Customer"]);
    const tags = readTags(at(body, "tags")) ?? [];
    if (!has(body, "tags")) addFault(at(body, "tags"), "a list of tags");
    const occurredAt = ifGiven(at(body, "occurredAt"), readInstant);
    return [
      {
        type: "CustomerUpserted",
        subject: `customer/${customerId}`,
        factKey: `${field}/${customerId}@${at(body, "occurredAt").value ?? ""}`,
        payload: field === "tagsAdded" ? { customerId, tagsAdded: tags } : { customerId, tagsRemoved: tags },
        ...onlyKnown({ occurredAt }),
      },
    ];
  };
}

/** Whether an order's body has a customer at all: a guest's may have one without an id. */
export function hasCustomer(customer: JsonReader): boolean {
  return isObject(customer.value) && (parseGid(at(customer, "admin_graphql_api_id")) !== null || idIsGiven(customer));
}

/** Whether the id names a customer: connectors that import orders write guests as 0. */
function idIsGiven(customer: JsonReader): boolean {
  const { value } = at(customer, "id");
  const isNobody = value === "0" || (value instanceof JsonNumber && value.source === "0");
  if (isNobody) {
    const detail = "the customer's id is 0: taken as the order of a guest";
    addNote(at(customer, "id"), { kind: "guest_order", values: {} }, detail);
  }
  return value !== undefined && value !== null && !isNobody;
}

const LOCALE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;

/** A test order's customer is also a sample. The order has the customer's language. */
export function stateCustomerOfOrder(customer: JsonReader, order: JsonReader): EventContent {
  const statement = stateCustomer(customer);
  const locale = at(order, "customer_locale").value;
  const isLocale = typeof locale === "string" && LOCALE.test(locale);
  if (statement.type !== "CustomerUpserted" || !isLocale) return { ...statement, test: isTrue(at(order, "test")) };
  return { ...statement, payload: { ...statement.payload, locale }, test: isTrue(at(order, "test")) };
}
