import fc from "fast-check";
import { expect, test } from "vitest";
import { addressKey } from "./address-key.ts";

test("an IPv4 address is itself, mapped into IPv6 too", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(addressKey(address)).toBe(address);
      expect(addressKey(`::ffff:${address}`)).toBe(address);
    }),
  );
});

test("an IPv6 address is its /64, however it is written", () => {
  const own = addressKey("2001:db8:12:3400::1");
  expect(own).toBe("2001:db8:12:3400::/64");
  for (const other of [
    "2001:DB8:12:3400:ffff:ffff:ffff:ffff",
    "2001:0db8:0012:3400:0:0:0:1",
    "2001:db8:12:3400::1%eth0",
  ])
    expect(addressKey(other)).toBe(own);
  expect(addressKey("2001:db8:12:3401::1")).not.toBe(own);
});

test("what is no address is itself", () => {
  expect(addressKey("unix:")).toBe("unix:");
});

test("a port behind an address does not count, and a long text is shortened", () => {
  expect(addressKey("203.0.113.9:52114")).toBe("203.0.113.9");
  expect(addressKey("[2001:db8:12:3400::1]:52114")).toBe("2001:db8:12:3400::/64");
  expect(addressKey("[::ffff:203.0.113.9]:1")).toBe("203.0.113.9");
  expect(addressKey("[2001:db8:12:3400::1]")).toBe("2001:db8:12:3400::/64");
  expect(addressKey("x".repeat(100_000))).toBe("x".repeat(64));
});
