import { expect, test } from "vitest";
import { mayReadMetrics } from "./may-read-metrics.ts";

const TOKEN = "a token of the tests, of 32 characters";
const LOCAL = { peer: "127.0.0.1", headers: { host: "127.0.0.1:3000" }, httpVersion: "1.1" };
const ACCESS = { token: undefined, publicUrl: "http://127.0.0.1:3000" };

function may(reader: Partial<Parameters<typeof mayReadMetrics>[0]>, access: Partial<typeof ACCESS> = {}): boolean {
  return mayReadMetrics({ ...LOCAL, ...reader }, { ...ACCESS, ...access });
}

test("this machine may read, by any name and address of the loopback", () => {
  expect(may({})).toBe(true);
  expect(may({ peer: "::1", headers: { host: "[::1]:3000" } })).toBe(true);
  expect(may({ peer: "::ffff:127.0.0.1", headers: { host: "LOCALHOST" } })).toBe(true);
  expect(may({}, { publicUrl: "http://0.0.0.0:3000" })).toBe(true);
});

test.each([
  ["another machine", { peer: "192.168.1.7" }],
  ["no address", { peer: undefined }],
  ["an address that only begins like it", { peer: "127.evil" }],
  ["a name that was pointed to this machine", { headers: { host: "evil.example:3000" } }],
  ["a name that only begins like it", { headers: { host: "127.0.0.1.evil.example" } }],
  ["no host", { headers: {} }],
  ["a proxy that says for whom", { headers: { ...LOCAL.headers, "x-forwarded-for": "203.0.113.9" } }],
  ["a proxy that says so by the standard", { headers: { ...LOCAL.headers, forwarded: "for=203.0.113.9" } }],
  ["a proxy that names itself", { headers: { ...LOCAL.headers, via: "1.1 cache" } }],
  ["a proxy without headers, which speaks HTTP/1.0", { httpVersion: "1.0" }],
])("%s may not, unless it has the token", (_, reader: Partial<Parameters<typeof mayReadMetrics>[0]>) => {
  expect(may(reader)).toBe(false);
  const headers = { ...(reader.headers ?? LOCAL.headers), authorization: `Bearer ${TOKEN}` };
  expect(may({ ...reader, headers })).toBe(false); // no token is set
  expect(mayReadMetrics({ ...LOCAL, ...reader, headers }, { ...ACCESS, token: TOKEN })).toBe(true);
  const wrong = { ...headers, authorization: `Bearer ${TOKEN}x` };
  expect(mayReadMetrics({ ...LOCAL, ...reader, headers: wrong }, { ...ACCESS, token: TOKEN })).toBe(false);
});

test("with a PUBLIC_URL of another name a proxy may be in front, so that only the token counts", () => {
  const access = { token: TOKEN, publicUrl: "https://points.example" };
  expect(mayReadMetrics(LOCAL, access)).toBe(false);
  expect(mayReadMetrics({ ...LOCAL, headers: { authorization: `bearer ${TOKEN}` } }, access)).toBe(true);
});
