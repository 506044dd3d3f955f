import { fieldOf, isList, type Json, parseJsonText } from "../../json-source.ts";
import { textOf } from "./answer.ts";

/** The resources that the Admin REST API lists in the form of deliveries. */
export type ListedResource = "customers" | "orders";

const PAGE_SIZE = 250;

/** One page of changes: each as it is delivered, and the URL of the next page. */
export interface ListedPage {
  readonly resources: readonly Json[];
  /** The newest change on it; null: it is empty, or states none. */
  readonly changedAt: Temporal.Instant | null;
  /** null: it is the last page. */
  readonly nextUrl: string | null;
}

/** Returns the URL of the first page of changes at or after a moment, oldest change first. `graphqlUrl` determines the API's address. */
export function changedUrl(graphqlUrl: string, resource: ListedResource, since: Temporal.Instant): string {
  const url = new URL(graphqlUrl.replace(/graphql\.json$/, `${resource}.json`));
  url.searchParams.set("limit", String(PAGE_SIZE));
  url.searchParams.set("updated_at_min", since.toString({ smallestUnit: "second" }));
  url.searchParams.set("order", "updated_at asc");
  if (resource === "orders") url.searchParams.set("status", "any"); // else only open ones are listed
  return url.href;
}

/** Returns the GraphQL search for what changed at or after a moment. */
export function changedSearch(since: Temporal.Instant): string {
  return `updated_at:>='${since.toString({ smallestUnit: "second" })}'`;
}

/** Reads a page and its `link` header. A string says why it cannot be read. */
export function readChangedPage(
  answer: { readonly body: string; readonly link: string | undefined; readonly url: string },
  resource: ListedResource,
): ListedPage | string {
  const parsed = parseJsonText(answer.body);
  if (!parsed.ok) return parsed.fault;
  const resources = fieldOf(parsed.value, resource);
  if (!isList(resources)) return `the answer has no ${resource}`;
  const nextUrl = nextOf(answer.link);
  if (nextUrl !== null && new URL(nextUrl).origin !== new URL(answer.url).origin) {
    return "the next page is elsewhere"; // the token goes to the store alone
  }
  return { resources, changedAt: newestChange(resources), nextUrl };
}

function nextOf(link: string | undefined): string | null {
  const url = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  return url !== undefined && URL.canParse(url) ? url : null;
}

/** Returns the newest `updated_at` of resources; null: none has one. */
export function newestChange(resources: readonly Json[]): Temporal.Instant | null {
  let last: Temporal.Instant | null = null;
  for (const resource of resources) {
    const at = instantOf(textOf(fieldOf(resource, "updated_at")));
    if (at !== null && (last === null || Temporal.Instant.compare(at, last) > 0)) last = at;
  }
  return last;
}

function instantOf(text: string | null): Temporal.Instant | null {
  if (text === null) return null;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}
