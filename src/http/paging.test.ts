import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor, instantOfCursor, linkHeader, pagingMeta, parsePaging } from "./paging.ts";

const END = { hasMore: true, nextCursor: "NEXT" };
const PUBLIC = "https://points.example.com/base";

describe("cursors", () => {
  test("carry any strings", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (parts) => {
        expect(decodeCursor(encodeCursor(parts))).toEqual(parts);
      }),
    );
  });

  test("any other text is none", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parts = decodeCursor(text);
        if (parts !== null) expect(encodeCursor(parts)).toBe(text);
      }),
    );
    expect(decodeCursor("AQ")).toBeNull();
    expect(decodeCursor(Buffer.from("\u0002[]").toString("base64url"))).toBeNull();
    expect(decodeCursor(encodeCursor(["2026-03-01T00:00:00Z", "\0"]))).toBeNull();
  });

  test("times that a database lacks are none", () => {
    expect(instantOfCursor("2026-03-01T00:00:00.000001Z")?.epochMilliseconds).toBe(Date.UTC(2026, 2, 1));
    for (const text of ["+275760-09-13T00:00:00Z", "0000-12-31T00:00:00Z", "-271821-04-20T00:00:00Z", "20260301", "x"])
      expect(instantOfCursor(text)).toBeNull();
  });
});

describe("pages", () => {
  test("defaults", () => {
    expect(parsePaging({})).toEqual({ page: 1, perPage: 250, direction: "asc", cursor: null });
    expect(parsePaging({ page: 3, per_page: 10, direction: "DESC" })).toEqual({
      page: 3,
      perPage: 10,
      direction: "desc",
      cursor: null,
    });
    expect(parsePaging({ page: 3, cursor: "x" })).toMatchObject({ page: 1, cursor: "x" });
  });

  test("meta", () => {
    expect(pagingMeta(parsePaging({ page: 2 }), END)).toEqual({
      page: 2,
      per_page: 250,
      has_more: true,
      next_cursor: "NEXT",
    });
  });

  test("Link keeps the other parameters and stands on the public address", () => {
    const link = linkHeader(
      PUBLIC,
      "/api/storefront/point_allotments?type=api&page=2&per_page=5",
      parsePaging({ page: 2, per_page: 5 }),
      END,
    );
    const path = `${PUBLIC}/api/storefront/point_allotments?type=api&per_page=5`;
    expect(link).toBe(`<${path}>; rel="first", <${path}&page=1>; rel="prev", <${path}&page=3>; rel="next"`);
  });

  test("Link follows a cursor with a cursor, and ends", () => {
    const paging = parsePaging({ cursor: "HERE" });
    expect(linkHeader(PUBLIC, "/a?cursor=HERE", paging, END)).toBe(
      `<${PUBLIC}/a>; rel="first", <${PUBLIC}/a?cursor=NEXT>; rel="next"`,
    );
    expect(linkHeader(PUBLIC, "/a?cursor=HERE", paging, { hasMore: false, nextCursor: "NEXT" })).toBe(
      `<${PUBLIC}/a>; rel="first"`,
    );
  });
});
