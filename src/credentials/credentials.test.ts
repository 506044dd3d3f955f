import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findCredential,
  hashSecret,
  type KnownCredential,
  keyOf,
  parseAuthorization,
  parseScopes,
  secretOf,
} from "./credentials.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function known(key: string, ...secrets: string[]): KnownCredential {
  return { uid: key, name: key, key, scopes: ["read"], secretHashes: secrets.map(hashSecret) };
}

describe("parseAuthorization", () => {
  test("reads any key and secret; a colon belongs to the secret", () => {
    const key = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes(":"));
    fc.assert(
      fc.property(key, fc.string({ unit: "grapheme" }), (name, secret) => {
        expect(parseAuthorization(`Basic ${base64(`${name}:${secret}`)}`)).toEqual({ key: name, secret });
      }),
    );
  });

  test("reads Bearer", () => {
    expect(parseAuthorization("bearer abc")).toEqual({ key: null, secret: "abc" });
  });

  test.each([
    "",
    "Basic",
    "Basic ",
    "Basic !!",
    `Basic ${base64("nocolon")}`,
    `Basic ${base64(":secret")}`,
    "Bearer",
    "Bearer a b",
    "Token x",
  ])("%j is none", (header) => expect(parseAuthorization(header)).toBeNull());

  test("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseAuthorization(text)));
  });
});

describe("findCredential", () => {
  const list = [known("a", "one"), known("b", "two", "three")];

  test.each([
    ["a", "one", "a"],
    ["b", "two", "b"],
    ["b", "three", "b"],
    [null, "three", "b"],
    ["a", "two", undefined],
    ["c", "one", undefined],
    [null, "", undefined],
  ])("key %j, secret %j: %j", (key, secret, found) => {
    expect(findCredential(list, { key, secret })?.key).toBe(found);
  });
});

test("keys and secrets fit a header and hold all their bits", () => {
  const bytes = Buffer.alloc(32, 0xfb);
  expect(Buffer.from(secretOf(bytes), "base64url").equals(bytes)).toBe(true);
  expect(keyOf(Buffer.of(1, 255))).toBe("pk_01ff");
});

test("parseScopes reads a list, in the order of the scopes", () => {
  expect(parseScopes("write, read")).toEqual(["read", "write"]);
  expect(parseScopes(undefined)).toHaveLength(5);
  expect(parseScopes("read,everything")).toBeNull();
  expect(parseScopes("")).toBeNull();
});
