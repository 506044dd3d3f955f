import { assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress, refuseCallbackUrl } from "./callback-url.ts";

const NOT_PUBLIC = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "4000::1",
  "hooks.example.com",
  "",
];

describe("addresses", () => {
  test.each(NOT_PUBLIC)("%j is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::5"])(
    "%j is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test("no private IPv4 address becomes public inside an IPv6 one", () => {
    const octet = integer({ min: 0, max: 255 });
    const privates = tuple(constantFrom("10", "127"), octet, octet, octet).map((octets) => octets.join("."));
    const prefixes = constantFrom("::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::");
    assert(property(prefixes, privates, (prefix, address) => !isPublicAddress(prefix + address)));
  });
});

describe("URLs", () => {
  test.each([
    "https://shop.example.com/hooks",
    "https://shop.example.com:8443/hooks?x=%00#y",
    "https://93.184.216.34/",
    "https://[2606:4700::1111]/",
    "HTTPS://Shop.Example.com",
  ])("%j passes", (url) => {
    expect(refuseCallbackUrl(url, false)).toBeNull();
  });

  test.each([
    "http://shop.example.com/",
    "ftp://shop.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "shop.example.com/hooks",
    "/hooks",
    "",
    "https://",
    "https://me@shop.example.com/",
    "https://me:secret@shop.example.com/",
    "https://shop.example.com/a b",
    "https://shop.example.com/\n",
    "https://shop.example.com/\0",
    "https://shop.example.com/\ud800",
    `https://shop.example.com/${"a".repeat(2_048)}`,
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://169.254.169.254/latest/meta-data/",
  ])("%j is refused", (url) => {
    expect(refuseCallbackUrl(url, false)).toMatch(/^expected /);
  });

  test("where private callbacks are allowed, http and private addresses pass, credentials do not", () => {
    expect(refuseCallbackUrl("http://127.0.0.1:8080/hooks", true)).toBeNull();
    expect(refuseCallbackUrl("https://[::1]/", true)).toBeNull();
    expect(refuseCallbackUrl("http://me@127.0.0.1/", true)).toMatch(/credentials/);
    expect(refuseCallbackUrl("ftp://127.0.0.1/", true)).toMatch(/https/);
  });
});
