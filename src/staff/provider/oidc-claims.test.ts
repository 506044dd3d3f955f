import { expect, test } from "vitest";
import { claimsOfBoth, personOf } from "./oidc-claims.ts";

const TOKEN = { iss: "https://login.example", sub: "s1" };

test("an e-mail counts where the same document says that it was verified", () => {
  const page = { sub: "s1", email: "page@store.example", email_verified: true };
  const emailOf = (token: object, more: object = page) =>
    personOf(claimsOfBoth({ ...TOKEN, ...token }, { ...more }), null).email;
  expect(emailOf({})).toBe("page@store.example");
  expect(emailOf({ email: "token@store.example" })).toBeNull();
  expect(emailOf({ email: "token@store.example", email_verified: true })).toBe("token@store.example");
  expect(emailOf({ email_verified: true }, { ...page, email_verified: false })).toBeNull();
});

test("when and how somebody signed in is said by the ID token alone", () => {
  const page = { sub: "s1", acr: "urn:mfa", auth_time: 1_900_000_000, groups: ["pk-owners"] };
  const both = claimsOfBoth(TOKEN, page);
  expect(personOf(both, null)).toMatchObject({ acr: null, authTimeS: null });
  expect(both["groups"]).toEqual(["pk-owners"]);
  expect(personOf(claimsOfBoth({ ...TOKEN, acr: "urn:pwd", auth_time: 1 }, page), null)).toMatchObject({
    acr: "urn:pwd",
    authTimeS: 1,
  });
});

test("an address is not another one because letters of it become Latin ones in small", () => {
  const emailOf = (email: string) => personOf({ ...TOKEN, email, email_verified: true }, null).email;
  expect(emailOf("Mike@Store.example")).toBe("mike@store.example");
  expect(emailOf("mi\u{212A}e@store.example")).toBeNull(); // the Kelvin sign
});
