import { describe, expect, test } from "vitest";
import { bodyOf, changeOf, EMPTY_DRAFT, withKind } from "./adjust-draft.ts";

describe("a draft of an adjustment", () => {
  test("asks for a signed difference or a balance", () => {
    expect(changeOf({ ...EMPTY_DRAFT, amount: 5 })).toEqual({ point_value: 5 });
    expect(changeOf({ ...EMPTY_DRAFT, kind: "deduct", amount: 5 })).toEqual({ point_value: -5 });
    expect(changeOf({ ...EMPTY_DRAFT, kind: "set", amount: 0 })).toEqual({ balance: 0 });
    expect(changeOf({ ...EMPTY_DRAFT, amount: 0 })).toBeNull();
    expect(changeOf(EMPTY_DRAFT)).toBeNull();
  });

  test("has the usual reason of its action, unless another was chosen", () => {
    expect(withKind(EMPTY_DRAFT, "deduct").reason).toBe("system_fix");
    expect(withKind(withKind(EMPTY_DRAFT, "set"), "add").reason).toBe("compensation");
    expect(withKind({ ...EMPTY_DRAFT, reason: "refund" }, "deduct").reason).toBe("refund");
  });

  test("says nothing of points that it does not add", () => {
    const draft = {
      ...EMPTY_DRAFT,
      kind: "deduct",
      amount: 5,
      extends: true,
      origin: "purchase",
      note: " a ",
    } as const;
    expect(bodyOf(draft, "u")).toMatchObject({ extends_expiration: false, origin: null, note: "a", request_uid: "u" });
    expect(bodyOf({ ...draft, kind: "add" }, "u")).toMatchObject({ extends_expiration: true, origin: "purchase" });
  });
});
