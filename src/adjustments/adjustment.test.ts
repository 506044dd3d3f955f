import { describe, expect, test } from "vitest";
import { type Adjustment, adjustmentPosting, missingPoints, type Undoable } from "./adjustment.ts";

const customer = { bucket: 1, customerUid: "c" };
const said = { origin: null, reasonType: null, note: null, actor: "A", extends: true };
const undoable: Undoable = { ...customer, uid: "x", version: 7n, pointValue: 40n, ownVersions: [7n], expired: 0n };
const posting = (change: Adjustment["change"], owner = customer) =>
  adjustmentPosting("uid", { uid: "u", customer: owner, change, ...said });

describe("the posting of an adjustment", () => {
  test("counts once for its form, an undo once for what it undoes", () => {
    expect(posting({ kind: "add", pointValue: 5n })).toMatchObject({ sourceKey: "manual/u", extends: "credit" });
    expect(posting({ kind: "undo", of: undoable })).toMatchObject({
      sourceKey: "undo/x",
      object: "allotment-x",
      extends: "never",
      change: { kind: "add", pointValue: -40n, shortfall: "cap" },
      drawFirst: [7n],
    });
  });

  test("takes nothing for points that have expired", () => {
    const { change } = posting({ kind: "undo", of: { ...undoable, expired: 15n } });
    expect(change).toEqual({ kind: "add", pointValue: -25n, shortfall: "cap" });
    expect(missingPoints({ kind: "undo", of: { ...undoable, expired: 15n } }, -20n)).toBe(5n);
  });

  test("gives back what a deduction took, of a merged customer too", () => {
    const taken = { ...undoable, pointValue: -40n };
    const back = { kind: "give_back", pointValue: 40n, ofVersion: 7n, skip: 0n };
    expect(posting({ kind: "undo", of: taken }).change).toEqual(back);
    const survivor = { bucket: 2, customerUid: "d" };
    expect(posting({ kind: "undo", of: taken }, survivor).change).toEqual({ ...back, of: taken });
    const carried = { ...undoable, ownVersions: [3n, 4n] };
    expect(posting({ kind: "undo", of: carried }, survivor).drawFirst).toEqual([3n, 4n]);
  });

  test("an undo that was capped says what it could not take", () => {
    expect(missingPoints({ kind: "undo", of: undoable }, -30n)).toBe(10n);
    expect(missingPoints({ kind: "undo", of: { ...undoable, pointValue: -40n } }, 40n)).toBe(0n);
  });
});
