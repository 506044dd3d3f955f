import { describe, expect, test } from "vitest";
import { claimsOfBoth, lacksClaims, personOf } from "./oidc-claims.ts";

const TOKEN = { iss: "https://login.example", sub: "s1" };

test("an e-mail counts where the same document says that it was verified", () => {
  const page = { sub: "s1", email: "page@store.example", email_verified: true };
  const emailOf = (token: object, more: object = page) =>
    personOf(claimsOfBoth({ ...TOKEN, ...token }, { ...more }, null), null).email;
  expect(emailOf({})).toBe("page@store.example");
  expect(emailOf({ email: "token@store.example" })).toBeNull();
  expect(emailOf({ email: "token@store.example", email_verified: true })).toBe("token@store.example");
  expect(emailOf({ email_verified: true }, { ...page, email_verified: false })).toBeNull();
});

test("when and how somebody signed in is said by the ID token alone", () => {
  const page = { sub: "s1", acr: "urn:mfa", auth_time: 1_900_000_000, groups: ["pk-owners"] };
  const both = claimsOfBoth(TOKEN, page, null);
  expect(personOf(both, null)).toMatchObject({ acr: null, authTimeS: null });
  expect(both["groups"]).toEqual(["pk-owners"]);
  expect(personOf(claimsOfBoth({ ...TOKEN, acr: "urn:pwd", auth_time: 1 }, page, null), null)).toMatchObject({
    acr: "urn:pwd",
    authTimeS: 1,
  });
});

test("an address is not another one because letters of it become Latin ones in small", () => {
  const emailOf = (email: string) => personOf({ ...TOKEN, email, email_verified: true }, null).email;
  expect(emailOf("Mike@Store.example")).toBe("mike@store.example");
  expect(emailOf("mi\u{212A}e@store.example")).toBeNull(); // the Kelvin sign
});

describe("the role", () => {
  const rolesOf = (claim: string) => ({
    claim,
    values: [
      ["pk-owners", "owner"],
      ["pk-support", "support"],
    ] as const,
  });
  const roleOf = (claims: object, claim = "groups") => personOf({ ...TOKEN, ...claims }, rolesOf(claim)).role;

  test("is given by a list or by a single text, and the highest one counts", () => {
    expect(roleOf({ groups: ["others", "pk-support", "pk-owners"] })).toBe("owner");
    expect(roleOf({ groups: "pk-support" })).toBe("support");
    expect(roleOf({ realm_access: { roles: ["pk-owners"] } }, "realm_access.roles")).toBe("owner");
    expect(roleOf({ "https://shop.example/roles": ["pk-owners"] }, "https://shop.example/roles")).toBe("owner");
  });

  test.each([
    ["missing", {}],
    ["null", { groups: null }],
    ["an empty list", { groups: [] }],
    ["a text that only contains a value", { groups: "pk-owners,pk-support" }],
    ["a value of another case", { groups: ["PK-OWNERS"] }],
    ["an object", { groups: { "pk-owners": true } }],
    ["a list of objects", { groups: [{ name: "pk-owners" }] }],
    ["a list in a list", { groups: [["pk-owners"]] }],
    ["true", { groups: true }],
    ["of the prototype", JSON.parse('{ "__proto__": { "groups": ["pk-owners"] } }')],
  ])("is none where the claim is %s", (_, claims) => {
    expect(roleOf(claims)).toBeNull();
  });

  test("comes from userinfo where the ID token has none, also beside other parts of the same object", () => {
    const roles = rolesOf("realm_access.roles");
    const of = (token: object, page: object) =>
      personOf(claimsOfBoth({ ...TOKEN, ...token }, { sub: "s1", ...page }, roles), roles).role;
    const owner = { realm_access: { roles: ["pk-owners"] } };
    const bare = { email: "ann@store.example", realm_access: { verify_caller: true } };
    expect(lacksClaims({ ...TOKEN, ...bare }, roles)).toBe(true);
    expect(of({}, owner)).toBe("owner");
    expect(of(bare, owner)).toBe("owner");
    expect(of({ realm_access: { roles: ["pk-support"] } }, owner)).toBe("support");
    expect(of({ realm_access: { roles: [] } }, owner)).toBeNull();
    expect(of(bare, {})).toBeNull();
  });
});
