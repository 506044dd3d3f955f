import { describe, expect, test } from "vitest";
import { applyPatch, type CustomerPatch, EMPTY_PROFILE, type Profile } from "../customer.ts";
import { isUpdateCause } from "./update-causes.ts";

const earnedAt = Temporal.Instant.from("2026-03-01T00:00:00Z");
const balance = {
  bucket: 1,
  customerUid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716",
  ledgerPoints: 100n,
  heldPoints: 0n,
  heldUntil: null,
  owedPoints: 0n,
  version: 1n,
  lastAllottedAt: earnedAt,
  activeAt: earnedAt,
  oldestSince: earnedAt,
  soonestExpiresAt: null,
  earnedAt,
  mergedInto: null,
  isDeleted: false,
  chainedVersion: 0n,
  chainHead: null,
};

function isCause(
  before: Partial<Profile>,
  patch: Partial<CustomerPatch>,
  row: Partial<Omit<typeof balance, "earnedAt"> & { earnedAt: Temporal.Instant | null; awaits: boolean }> = {},
): boolean {
  const stored = { ...EMPTY_PROFILE, ...before, fieldVersions: {}, profileAt: null, consentAt: null };
  const { awaits = false, ...more } = row;
  const patched = applyPatch(stored, { storefrontId: "1", ...patch });
  return isUpdateCause(stored, patched, { balance: { ...balance, ...more }, awaits });
}

describe("the causes of point_balance/update in a profile", () => {
  test.each<[string, boolean, Partial<Profile>, Partial<CustomerPatch>]>([
    ["another name", true, { name: "A" }, { name: "B" }],
    ["the same name", false, { name: "A" }, { name: "A" }],
    ["another birthday", true, { birthday: "1988-04-12" }, { birthday: "1988-04-13" }],
    ["another e-mail", false, { email: "a@b.c" }, { email: "d@b.c" }],
    ["tags", false, {}, { tags: ["a"] }],
    ["opting in", true, { acceptsMarketing: false }, { acceptsMarketing: true }],
    ["opting in for the first time", true, {}, { acceptsMarketing: true }],
    ["opting in again", false, { acceptsMarketing: true }, { acceptsMarketing: true }],
    ["opting out", false, { acceptsMarketing: true }, { acceptsMarketing: false }],
    ["the account enabled", true, { accountEnabled: false }, { accountEnabled: true }],
    ["the account known to be enabled", false, {}, { accountEnabled: true }],
    ["the account disabled", false, { accountEnabled: true }, { accountEnabled: false }],
  ])("%s: %s", (_what, expected, before, patch) => {
    expect(isCause(before, patch)).toBe(expected);
  });

  test("a balance without points, or that never earned, does not become active; one that awaits points does", () => {
    const enable = [{ accountEnabled: false }, { accountEnabled: true }] as const;
    expect(isCause(...enable, { ledgerPoints: 0n })).toBe(false);
    expect(isCause(...enable, { earnedAt: null })).toBe(false);
    expect(isCause(...enable)).toBe(true);
    expect(isCause(...enable, { ledgerPoints: 0n, awaits: true })).toBe(true);
    expect(isCause(...enable, { ledgerPoints: 0n, earnedAt: null, awaits: true })).toBe(false);
    expect(isCause({ accountEnabled: true }, { accountEnabled: true }, { awaits: true })).toBe(false);
  });
});
