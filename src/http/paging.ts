import { type Static, Type } from "typebox";
import { parseInstant } from "../time/store-time.ts";
import { isCleanText } from "./bodies/json-text.ts";

/** The query fields of a list (interface.md 4.1, program.md 2): spread into the route's query schema. */
export const pagingFields = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: "Page number, from 1.", examples: [1] }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 250, description: "Results a page; 250 when absent.", examples: [250] }),
  ),
  direction: Type.Optional(
    Type.String({
      pattern: "^(?:[aA][sS][cC]|[dD][eE][sS][cC])$",
      description: "`asc` (oldest first, the default) or `desc`, in any case.",
      examples: ["asc"],
      expected: '"asc" or "desc"',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "`meta.next_cursor` of the previous page: the stable alternative to `page`.",
      examples: ["AVsiMjAyNi0wMy0wMVQwOTozMDowMFoiXQ"],
    }),
  ),
};

/** The `meta` field beside `data`. */
export const pagingMetaSchema = Type.Object(
  {
    page: Type.Integer({ description: "The requested page; 1 if a cursor was given." }),
    per_page: Type.Integer(),
    has_more: Type.Boolean({ description: "Whether another page follows." }),
    next_cursor: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Where to read on, now or later.",
    }),
  },
  { title: "Paging", examples: [{ page: 1, per_page: 250, has_more: false, next_cursor: null }] },
);

export interface Paging {
  readonly page: number;
  readonly perPage: number;
  readonly direction: "asc" | "desc";
  /** Replaces `page`. */
  readonly cursor: string | null;
}

type PagingQuery = { [Name in keyof typeof pagingFields]?: Static<(typeof pagingFields)[Name]> | undefined };

/** Returns the paging of a validated query, with defaults. */
export function parsePaging(query: PagingQuery): Paging {
  const cursor = query.cursor ?? null;
  return {
    page: cursor === null ? (query.page ?? 1) : 1,
    perPage: query.per_page ?? 250,
    direction: query.direction?.toLowerCase() === "desc" ? "desc" : "asc",
    cursor,
  };
}

export interface PageEnd {
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** Returns the `meta` of a page, as it is sent. */
export function pagingMeta(paging: Paging, end: PageEnd): Static<typeof pagingMetaSchema> {
  return { page: paging.page, per_page: paging.perPage, has_more: end.hasMore, next_cursor: end.nextCursor };
}

/**
 * Returns the `Link` header of a page (RFC 8288): first, prev and next, with the request's own path on the public URL. The links use page numbers or
 * cursors, like the request.
 */
export function linkHeader(publicUrl: string, requestUrl: string, paging: Paging, end: PageEnd): string {
  const link = (rel: string, change: Readonly<Record<string, string>>) => {
    const url = new URL(publicUrl + requestUrl);
    for (const name of ["page", "cursor"]) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [link("first", {})];
  if (paging.cursor === null && paging.page > 1) links.push(link("prev", { page: String(paging.page - 1) }));
  if (end.hasMore && paging.cursor === null) links.push(link("next", { page: String(paging.page + 1) }));
  if (end.hasMore && paging.cursor !== null && end.nextCursor !== null)
    links.push(link("next", { cursor: end.nextCursor }));
  return links.join(", ");
}

const CURSOR_VERSION = 1;

/** Returns an opaque cursor of strings: a version byte and their JSON, as base64url. */
export function encodeCursor(parts: readonly string[]): string {
  return Buffer.concat([Buffer.of(CURSOR_VERSION), Buffer.from(JSON.stringify(parts))]).toString("base64url");
}

/** Returns the strings of a cursor made by `encodeCursor`; null for any other text, or one with a string that the database cannot compare. */
export function decodeCursor(cursor: string): string[] | null {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes[0] !== CURSOR_VERSION || bytes.toString("base64url") !== cursor) return null;
  try {
    const parts: unknown = JSON.parse(bytes.subarray(1).toString("utf8"));
    return Array.isArray(parts) && parts.every((part) => typeof part === "string" && isCleanText(part)) ? parts : null;
  } catch {
    return null;
  }
}

/** Returns the time in a cursor, as `Temporal.Instant` writes it; null for other texts, and for times that the database cannot compare. */
export function instantOfCursor(text: string): Temporal.Instant | null {
  return text.includes("T") ? parseInstant(text, { timeZone: "UTC", edge: "start" }) : null;
}
