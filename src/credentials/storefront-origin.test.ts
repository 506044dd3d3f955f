import { expect, test } from "vitest";
import { parseOrigin } from "./storefront-origin.ts";

test.each([
  ["https://shop.example.com", "https://shop.example.com"],
  ["  https://shop.example.com/ ", "https://shop.example.com"],
  ["HTTPS://Shop.Example.com:443", "https://shop.example.com"],
  ["https://shop.example.com:8443", "https://shop.example.com:8443"],
  ["https://ショップ.example", "https://xn--xckya1d0c.example"],
  ["http://localhost:8080", "http://localhost:8080"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://[::1]:8080", "http://[::1]:8080"],
])("%s is the origin %s", (text, origin) => {
  expect(parseOrigin(text)).toBe(origin);
});

test.each([
  "",
  "*",
  "null",
  "shop.example.com",
  "https://*.example.com",
  "https://shop.example.com/path",
  "https://shop.example.com?a",
  "https://user@shop.example.com",
  "http://shop.example.com",
  "http://127.0.0.1.example.com",
  "file:///home",
  "javascript:alert(1)",
  `https://${"a".repeat(300)}.example`,
])("%s is no origin to allow", (text) => {
  expect(parseOrigin(text)).toBeNull();
});
