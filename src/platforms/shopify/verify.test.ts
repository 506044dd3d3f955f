import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { shopify } from "./adapter.ts";

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly body: string;
  readonly "x-shopify-hmac-sha256": string;
}

const FILE = new URL("../../../test/fixtures/shopify/hmac-vectors.json", import.meta.url);
// cast: the file is ours and holds vectors only
const VECTORS = JSON.parse(readFileSync(FILE, "utf8")) as Vector[];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const signed = (signature: string) => new Map([["x-shopify-hmac-sha256", signature]]);

describe.each(VECTORS)("$name", (vector) => {
  const headers = signed(vector["x-shopify-hmac-sha256"]);

  test("verifies, also among other secrets", () => {
    expect(shopify.verify(headers, bytes(vector.body), [vector.secret])).toBe("ok");
    expect(shopify.verify(headers, bytes(vector.body), ["older", vector.secret, "newer"])).toBe("ok");
  });

  test("fails with another secret, another body, another signature", () => {
    expect(shopify.verify(headers, bytes(vector.body), ["other"])).toBe("bad_signature");
    expect(shopify.verify(headers, bytes(`${vector.body} `), [vector.secret])).toBe("bad_signature");
    expect(shopify.verify(signed("AAAA"), bytes(vector.body), [vector.secret])).toBe("bad_signature");
  });
});

test("without a header, without secrets, with an empty secret", () => {
  expect(shopify.verify(new Map(), bytes("{}"), ["hush"])).toBe("missing_header");
  expect(shopify.verify(signed(""), bytes("{}"), ["hush"])).toBe("missing_header");
  const [vector] = VECTORS;
  const headers = signed(vector?.["x-shopify-hmac-sha256"] ?? "");
  expect(shopify.verify(headers, bytes(vector?.body ?? ""), [])).toBe("bad_signature");
  // base64 of the HMAC of "{}" under the empty key, which anybody can compute
  const forged = signed("IvjuqQlACvmK3zaBqfMZI+9rf8ukq7VT2Sgjo+nVwl4=");
  expect(shopify.verify(forged, bytes("{}"), [""])).toBe("bad_signature");
});

describe("describe", () => {
  const headers = new Map([
    ["x-shopify-topic", "orders/paid"],
    ["x-shopify-shop-domain", "Tea.myshopify.com"],
    ["x-shopify-webhook-id", "w-1"],
    ["x-shopify-api-version", "2026-04"],
  ]);

  test("names topic and shop; the body is part of the key, since the id is not signed", () => {
    const facts = shopify.describe(headers, bytes("{}"));
    expect(facts).toMatchObject({ topic: "orders/paid", shop: "tea.myshopify.com", apiVersion: "2026-04" });
    expect(facts?.deliveryKey).toMatch(/^w-1\/[0-9a-f]{64}$/);
    expect(shopify.describe(headers, bytes("{} "))?.deliveryKey).not.toBe(facts?.deliveryKey);
    expect(shopify.describe(headers, bytes("{}"))).toEqual(facts);
  });

  test("reads the newer names without x-, and misses what is missing", () => {
    const newer = new Map([...headers].map(([name, value]) => [name.slice(2), value]));
    expect(shopify.describe(newer, bytes("{}"))).toEqual(shopify.describe(headers, bytes("{}")));
    expect(shopify.describe(new Map([["x-shopify-topic", "orders/paid"]]), bytes("{}"))).toBeNull();
  });
});
