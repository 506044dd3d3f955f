import { fieldOf, isObject, type Json, JsonNumber, type JsonObject, parseJsonText } from "../../json-source.ts";
import { textOf, userErrorsOf } from "./answer.ts";
import { changedSearch } from "./changed-resources.ts";
import type { AdminRequest } from "./discount-code.ts";

/** The state of a bulk operation. `over`: it ended without a complete result, and has to be started again. */
export type BulkState =
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly url: string | null; readonly createdAt: string }
  | { readonly kind: "over"; readonly detail: string };

/** The position from which the reading of a result continues. */
export interface BulkPosition {
  readonly operation: string;
  /** Lines of the result that were processed. */
  readonly lines: number;
}

const RUN = `mutation runBulk($query: String!) {
  bulkOperationRunQuery(query: $query) {
    bulkOperation { id status }
    userErrors { field message code }
  }
}`;

const READ = `query readBulk($id: ID!) {
  node(id: $id) { ... on BulkOperation { id status errorCode url createdAt } }
}`;

/** Starts a bulk operation over the customers who changed at or after a moment, with the fields of a webhook, including birthdays. */
export function runCustomers(since: Temporal.Instant): AdminRequest {
  const query = `{
  customers(query: "${changedSearch(since)}") {
    edges { node {
      id firstName lastName state tags createdAt updatedAt
      defaultEmailAddress { emailAddress marketingState marketingUpdatedAt }
      birthDate: metafield(namespace: "facts", key: "birth_date") { value }
    } }
  }
}`;
  return { query: RUN, variables: { query } };
}

/** Returns the operation's id, or why it was not started. */
export function readStarted(data: JsonObject): { readonly id: string } | { readonly refusal: string } {
  const payload = fieldOf(data, "bulkOperationRunQuery");
  const id = textOf(fieldOf(fieldOf(payload, "bulkOperation"), "id"));
  if (id !== null) return { id };
  return {
    refusal:
      userErrorsOf(payload)
        .map(({ message }) => message)
        .join("; ") || "no operation",
  };
}

export function readBulk(id: string): AdminRequest {
  return { query: READ, variables: { id } };
}

export function bulkStateOf(data: JsonObject): BulkState {
  const node = fieldOf(data, "node");
  const status = textOf(fieldOf(node, "status"));
  if (status === "CREATED" || status === "RUNNING") return { kind: "running" };
  const createdAt = textOf(fieldOf(node, "createdAt"));
  if (status === "COMPLETED" && createdAt !== null)
    return { kind: "done", url: textOf(fieldOf(node, "url")), createdAt };
  return { kind: "over", detail: `${status ?? "gone"} ${textOf(fieldOf(node, "errorCode")) ?? ""}`.trim() };
}

export function bulkPosition({ operation, lines }: BulkPosition): string {
  return JSON.stringify({ operation, lines });
}

/** Returns the position of a bulk operation; null: there is none, or it is of another kind. */
export function bulkPositionOf(position: string | null): BulkPosition | null {
  const [, operation, lines] =
    /^\{"operation":"(gid:\/\/shopify\/BulkOperation\/\d+)","lines":(\d{1,12})\}$/.exec(position ?? "") ?? [];
  return operation === undefined ? null : { operation, lines: Number(lines) };
}

/** Returns a customer of a result's line in the form of a webhook's body; a string says why it cannot be read. */
export function customerOfLine(line: string): Json | string {
  const parsed = parseJsonText(line);
  if (!parsed.ok) return parsed.fault;
  const customer = parsed.value;
  const gid = textOf(fieldOf(customer, "id"));
  const id = /^gid:\/\/shopify\/Customer\/(\d{1,20})$/.exec(gid ?? "")?.[1];
  if (id === undefined || gid === null) return "the line is no customer";
  const email = fieldOf(customer, "defaultEmailAddress");
  const consent = fieldOf(email, "marketingState");
  const consentAt = fieldOf(email, "marketingUpdatedAt");
  const birthDate = fieldOf(fieldOf(customer, "birthDate"), "value");
  const tags = fieldOf(customer, "tags");
  return {
    id: new JsonNumber(id),
    admin_graphql_api_id: gid,
    email: fieldOf(email, "emailAddress") ?? null,
    first_name: fieldOf(customer, "firstName") ?? null,
    last_name: fieldOf(customer, "lastName") ?? null,
    state: lowered(fieldOf(customer, "state")),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === "string").join(", ") } : {}),
    created_at: fieldOf(customer, "createdAt") ?? null,
    updated_at: fieldOf(customer, "updatedAt") ?? null,
    ...(isObject(email) && typeof consent === "string"
      ? { email_marketing_consent: { state: lowered(consent), consent_updated_at: consentAt ?? null } }
      : {}),
    ...(typeof birthDate === "string"
      ? { metafields: [{ namespace: "facts", key: "birth_date", value: birthDate }] }
      : {}),
  };
}

function lowered(value: Json | undefined): Json {
  return typeof value === "string" ? value.toLowerCase() : null;
}
