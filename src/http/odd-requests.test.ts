import { describe, expect, test } from "vitest";
import { unknownMethodOf } from "./odd-requests.ts";

const read = (text: string) => unknownMethodOf(Buffer.from(text), 0);

describe("a request whose method the parser does not know", () => {
  test("has a path without its query, and the version of its errors", () => {
    expect(read("FOO /a/b?c=/d HTTP/1.1\r\nhost: a\r\n\r\n")).toEqual({ path: "/a/b", apiVersion: undefined });
    expect(read("FOO / HTTP/1.0\r\nX-Api-Version: 2.0.0\r\n\r\n")).toEqual({ path: "/", apiVersion: "2.0.0" });
    expect(read("FOO a HTTP/1.1\r\n\r\n")).toBeNull();
  });

  test("is none with a path longer than any: looking for its end has to stop", () => {
    const path = `/${"a".repeat(7_999)}`;
    expect(read(`FOO ${path} HTTP/1.1\r\n\r\n`)?.path).toBe(path);
    expect(read(`FOO ${path}a HTTP/1.1\r\n\r\n`)).toBeNull();
    expect(read(`FOO /${"a".repeat(60_000)}\n`)).toBeNull();
  });
});
