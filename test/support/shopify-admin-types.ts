/** An input type of the Admin API, 2026-04: the parts that the service uses. */
export type InputType =
  | { readonly scalar: RegExp | "boolean" | "integer" | "any"; readonly required?: true }
  | { readonly list: InputType; readonly required?: true }
  | { readonly object: Readonly<Record<string, InputType>>; readonly required?: true };

const TEXT = { scalar: /^.*$/s } as const;
const DATE_TIME = { scalar: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/ } as const;
const idOf = (kind: string) => ({ scalar: new RegExp(`^gid://shopify/${kind}/\\d+$`), required: true }) as const;

const BASIC_CODE_DISCOUNT: InputType = {
  required: true,
  object: {
    code: { scalar: /^[A-Z0-9-]{1,255}$/, required: true },
    title: { scalar: /^.{1,255}$/, required: true },
    context: {
      required: true,
      object: {
        all: TEXT,
        customers: { object: { add: { list: idOf("Customer") }, remove: { list: idOf("Customer") } } },
      },
    },
    customerGets: {
      required: true,
      object: {
        value: {
          required: true,
          object: {
            percentage: { scalar: "any" },
            discountAmount: {
              object: {
                amount: { scalar: /^\d+(?:\.\d+)?$/, required: true },
                appliesOnEachItem: { scalar: "boolean", required: true },
              },
            },
          },
        },
        items: {
          required: true,
          object: {
            all: { scalar: "boolean" },
            products: {
              object: { productsToAdd: { list: idOf("Product") }, productsToRemove: { list: idOf("Product") } },
            },
          },
        },
      },
    },
    usageLimit: { scalar: "integer" },
    appliesOncePerCustomer: { scalar: "boolean" },
    startsAt: { ...DATE_TIME, required: true },
    endsAt: DATE_TIME,
  },
};

const METAFIELDS: InputType = {
  required: true,
  list: {
    object: {
      ownerId: { scalar: /^gid:\/\/shopify\/(?:Customer|Shop)\/\d+$/, required: true },
      namespace: { scalar: /^[\w-]{3,255}$/ },
      key: { scalar: /^[\w-]{2,64}$/, required: true },
      type: { scalar: /^json$/ },
      value: { scalar: /^\{.*\}$/s, required: true },
    },
  },
};

const WEBHOOK_SUBSCRIPTION: InputType = {
  required: true,
  object: {
    uri: { scalar: /^https:\/\/\S+$/ },
    format: { scalar: /^(?:JSON|XML)$/ },
    includeFields: { list: TEXT },
    metafieldNamespaces: { list: TEXT },
    filter: TEXT,
  },
};

interface Argument {
  readonly graphql: string;
  readonly input: InputType;
}

/** The operations by their root field. */
export const OPERATIONS: Readonly<
  Record<string, { readonly kind: "query" | "mutation"; readonly arguments: Readonly<Record<string, Argument>> }>
> = {
  discountCodeBasicCreate: {
    kind: "mutation",
    arguments: { basicCodeDiscount: { graphql: "DiscountCodeBasicInput!", input: BASIC_CODE_DISCOUNT } },
  },
  metafieldsSet: {
    kind: "mutation",
    arguments: { metafields: { graphql: "[MetafieldsSetInput!]!", input: METAFIELDS } },
  },
  flowTriggerReceive: {
    kind: "mutation",
    arguments: {
      handle: { graphql: "String", input: { scalar: /^[a-z0-9-]{1,30}$/, required: true } },
      payload: { graphql: "JSON", input: { scalar: "any", required: true } },
    },
  },
  bulkOperationRunQuery: {
    kind: "mutation",
    arguments: { query: { graphql: "String!", input: { ...TEXT, required: true } } },
  },
  node: { kind: "query", arguments: { id: { graphql: "ID!", input: idOf("BulkOperation") } } },
  shop: { kind: "query", arguments: {} },
  currentAppInstallation: { kind: "query", arguments: {} },
  webhookSubscriptions: {
    kind: "query",
    arguments: {
      first: { graphql: "Int!", input: { scalar: "integer", required: true } },
      after: { graphql: "String", input: TEXT },
    },
  },
  webhookSubscriptionCreate: {
    kind: "mutation",
    arguments: {
      topic: { graphql: "WebhookSubscriptionTopic!", input: { scalar: /^[A-Z]+(?:_[A-Z]+)+$/, required: true } },
      webhookSubscription: { graphql: "WebhookSubscriptionInput!", input: WEBHOOK_SUBSCRIPTION },
    },
  },
  products: {
    kind: "query",
    arguments: {
      first: { graphql: "Int!", input: { scalar: "integer", required: true } },
      query: { graphql: "String", input: TEXT },
      after: { graphql: "String", input: TEXT },
    },
  },
  customersCount: {
    kind: "query",
    arguments: {
      query: { graphql: "String", input: TEXT },
      limit: { graphql: "Int", input: { scalar: "integer" } },
    },
  },
  productsCount: {
    kind: "query",
    arguments: {
      query: { graphql: "String", input: TEXT },
      limit: { graphql: "Int", input: { scalar: "integer" } },
    },
  },
  ordersCount: {
    kind: "query",
    arguments: {
      query: { graphql: "String", input: TEXT },
      limit: { graphql: "Int", input: { scalar: "integer" } },
    },
  },
  discountCodeDelete: { kind: "mutation", arguments: { id: { graphql: "ID!", input: idOf("DiscountCodeNode") } } },
  codeDiscountNode: { kind: "query", arguments: { id: { graphql: "ID!", input: idOf("DiscountCodeNode") } } },
  codeDiscountNodeByCode: {
    kind: "query",
    arguments: { code: { graphql: "String!", input: { ...TEXT, required: true } } },
  },
};

/** Returns how a value differs from its type. */
export function inputFaults(value: unknown, type: InputType, path: string): string[] {
  if (value === undefined || value === null) return type.required ? [`${path} is missing`] : [];
  if ("list" in type) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((element, i) => inputFaults(element, type.list, `${path}.${i}`));
  }
  if ("object" in type) {
    if (typeof value !== "object" || Array.isArray(value)) return [`${path} is no object`];
    const fields = new Map(Object.entries(value));
    const unknown = [...fields.keys()].filter((name) => type.object[name] === undefined);
    return [
      ...unknown.map((name) => `${path}.${name} is not defined`),
      ...Object.entries(type.object).flatMap(([name, field]) =>
        inputFaults(fields.get(name), field, `${path}.${name}`),
      ),
    ];
  }
  if (type.scalar === "any") return [];
  if (type.scalar === "boolean") return typeof value === "boolean" ? [] : [`${path} is no boolean`];
  if (type.scalar === "integer") return Number.isInteger(value) ? [] : [`${path} is no integer`];
  return typeof value === "string" && type.scalar.test(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
}
