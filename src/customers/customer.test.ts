import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch, type CustomerPatch, EMPTY_PROFILE, patchOfFacts } from "./customer.ts";

const unknown = { ...EMPTY_PROFILE, fieldVersions: {}, profileAt: null, consentAt: null };
const at = (day: number) => Temporal.Instant.from("2026-03-01T00:00:00Z").add({ hours: 24 * day });

function applyAll(patches: readonly Omit<CustomerPatch, "storefrontId">[]) {
  let stored = unknown as Parameters<typeof applyPatch>[0]; // cast: widens the null fields of the constant
  for (const patch of patches) {
    const { profile, ...rest } = applyPatch(stored, { storefrontId: "1", ...patch });
    stored = { ...profile, ...rest };
  }
  return stored;
}

describe("a patch of a customer", () => {
  test("keeps what it does not say, and takes null for none", () => {
    const stored = applyAll([{ email: "A@B.com", name: "Hanako" }, { name: null }, { birthday: "--05-17" }]);
    expect(stored).toMatchObject({ email: "a@b.com", name: null, birthday: "--05-17", acceptsMarketing: null });
  });

  test("of an older version overwrites nothing, but tells what no newer one said", () => {
    const newer = { profileAt: at(2), email: null, name: "New" };
    const older = { profileAt: at(1), email: "old@b.com", name: "Old", birthday: "1988-04-12" };
    expect(applyAll([newer, older])).toMatchObject({ email: null, name: "New", birthday: "1988-04-12" });
    expect(applyAll([newer, older]).profileAt?.toString()).toBe(at(2).toString());
  });

  test("has a version of its own for the consent", () => {
    const consent = { acceptsMarketing: true, consentAt: at(5) };
    const profile = { acceptsMarketing: false, profileAt: at(3), name: "Hanako" };
    expect(applyAll([consent, profile])).toMatchObject({ acceptsMarketing: true, name: "Hanako" });
    expect(applyAll([profile, consent])).toMatchObject({ acceptsMarketing: true, name: "Hanako" });
    expect(applyAll([consent, { acceptsMarketing: false, profileAt: at(6) }]).acceptsMarketing).toBe(false);
  });

  test("names what changed, and nothing where it says the same", () => {
    const patch = { storefrontId: "1", name: "Hanako", tags: ["b", "a"], acceptsMarketing: true };
    const first = applyPatch(unknown, patch);
    expect(first.changed).toEqual(["name", "acceptsMarketing", "tags"]);
    const again = { ...first.profile, fieldVersions: {}, profileAt: null, consentAt: null };
    expect(applyPatch(again, { ...patch, tags: ["a", "b"] }).changed).toEqual([]);
  });

  test("adds and takes away tags", () => {
    const stored = applyAll([{ tags: ["b"] }, { tagsAdded: ["c", "a"] }, { tagsRemoved: ["b"] }]);
    expect(stored.tags).toEqual(["a", "c"]);
  });

  test("comes from the facts of a platform", () => {
    const facts = {
      customerId: "7",
      name: "Hanako",
      createdAt: at(0),
      consentUpdatedAt: at(1),
      acceptsMarketing: true,
    };
    expect(patchOfFacts(facts, at(2))).toEqual({
      storefrontId: "7",
      name: "Hanako",
      acceptsMarketing: true,
      profileAt: at(2),
      consentAt: at(1),
    });
  });

  test("versions end equal in any order, however often each comes", () => {
    const patch = fc.record(
      {
        name: fc.constantFrom("A", "B", null),
        email: fc.constantFrom("a@b.c", null),
        birthday: fc.constantFrom("1988-04-12", "--05-17", null),
        accountEnabled: fc.boolean(),
        tags: fc.constantFrom(["x"], ["x", "y"], []),
      },
      { requiredKeys: [] },
    );
    const versions = fc
      .array(patch, { minLength: 1, maxLength: 6 })
      .map((patches) => patches.map((p, i) => ({ ...p, profileAt: at(i) })));
    const shuffled = versions.chain((inOrder) =>
      fc.tuple(
        fc.constant(inOrder),
        fc.shuffledSubarray([...inOrder, ...inOrder], { minLength: inOrder.length * 2, maxLength: inOrder.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([inOrder, mixed]) => {
        expect(profileOf(applyAll(mixed))).toEqual(profileOf(applyAll(inOrder)));
      }),
    );
  });
});

function profileOf({ name, email, birthday, accountEnabled, tags }: ReturnType<typeof applyAll>) {
  return { name, email, birthday, accountEnabled, tags };
}
