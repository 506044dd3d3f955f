/** The lists of the Admin REST API: bodies as JSON text. */
export interface RestShelf {
  readonly customers: string[];
  readonly orders: string[];
  /** The size of a page, whatever size is requested. */
  pageSize: number;
}

export interface RestPage {
  readonly body: string;
  readonly link: string | null;
}

/** One page of a list, oldest change first; a sentence: why the platform would refuse the request. */
export function restPage(shelf: RestShelf, url: URL): RestPage | string {
  const resource = /^\/admin\/api\/2026-04\/(customers|orders)\.json$/.exec(url.pathname)?.[1];
  if (resource !== "customers" && resource !== "orders") return `${url.pathname} is no route`;
  const limit = Number(url.searchParams.get("limit") ?? "50");
  if (!Number.isInteger(limit) || limit < 1 || limit > 250) return `limit ${limit}`;
  const info = url.searchParams.get("page_info");
  const others = [...url.searchParams.keys()].filter((name) => name !== "limit" && name !== "page_info");
  if (info !== null && others.length > 0) return `${others.join(", ")} beside page_info`;
  const query =
    info === null ? firstQuery(resource, url.searchParams) : JSON.parse(Buffer.from(info, "base64url").toString());
  if (typeof query === "string") return query;
  const all = shelf[resource]
    .map((text) => ({ text, at: String(JSON.parse(text).updated_at) }))
    .filter(({ at }) => Temporal.Instant.compare(at, query.since) >= 0)
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at));
  const from: number = query.from;
  const to = from + Math.min(limit, shelf.pageSize);
  const next = Buffer.from(JSON.stringify({ since: query.since, from: to })).toString("base64url");
  const address = `${url.origin}${url.pathname}?limit=${limit}&page_info=${next}`;
  const body = `{"${resource}":[${all
    .slice(from, to)
    .map(({ text }) => text)
    .join(",")}]}`;
  return { body, link: to < all.length ? `<${address}>; rel="next"` : null };
}

function firstQuery(
  resource: "customers" | "orders",
  params: URLSearchParams,
): { since: string; from: number } | string {
  const since = params.get("updated_at_min") ?? "";
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) return `updated_at_min ${since}`;
  if (params.get("order") !== "updated_at asc") return `order ${params.get("order")}`;
  if (resource === "orders" && params.get("status") !== "any") return "orders that are closed are left out";
  return { since, from: 0 };
}
