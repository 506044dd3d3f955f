import type { DocumentPart } from "./document-components.ts";

const UUID = "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884";

/** Example values of fields whose schemas have no example. */
const BY_NAME: DocumentPart = {
  app_reference: "backend",
  callback_url: "https://shop.example.com/hooks/points",
  code: "PK-7Q2M-4XTD",
  currency: "JPY",
  amount: "1200",
  raw_amount: 1200,
  customer_id: "4567890123",
  id: "4567890123",
  name: "Gold",
  tier: "Gold",
  title: "Tea bowl",
  topic: "point_balance/update",
};

const BY_FORMAT: DocumentPart = {
  "date-time": "2026-03-01T09:30:00.123456Z",
  date: "2026-03-01",
  uuid: UUID,
  uri: "https://shop.example.com/hooks/points",
  email: "hanako@example.com",
};

const REFERENCE = "#/components/schemas/";
type Schemas = Readonly<Record<string, DocumentPart>>;

/** Returns an example value of a schema: its own example, or one made from the examples of its parts; `schemas` are the components. */
export function exampleOf(schema: unknown, schemas: Schemas, name = ""): unknown {
  if (typeof schema !== "object" || schema === null) return null;
  const part = schema as DocumentPart; // cast: a schema that is an object
  const { $ref, examples, enum: values, anyOf, prefixItems, type } = part;
  if (typeof $ref === "string") return exampleOf(schemas[$ref.slice(REFERENCE.length)], schemas, name);
  if (Array.isArray(examples)) return examples[0];
  if ("const" in part) return part["const"];
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas, name);
  const [only = "object"] = [type].flat();
  if (only === "object") return objectExample(part, schemas);
  if (Array.isArray(prefixItems)) return prefixItems.map((item) => exampleOf(item, schemas));
  if (only === "array") return [exampleOf(part["items"], schemas, name)];
  return leafExample(part, String(only), name);
}

function objectExample({ properties }: DocumentPart, schemas: Schemas): DocumentPart {
  const fields = Object.entries(Object(properties)).map(([name, field]) => [name, exampleOf(field, schemas, name)]);
  return Object.fromEntries(fields);
}

function leafExample({ format, minimum }: DocumentPart, type: string, name: string): unknown {
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") {
    const known = BY_NAME[name];
    return typeof known === "number" ? known : Math.max(1, Number(minimum ?? 1));
  }
  if (type === "null") return null;
  return BY_FORMAT[String(format)] ?? (typeof BY_NAME[name] === "string" ? BY_NAME[name] : name === "" ? "text" : name);
}
