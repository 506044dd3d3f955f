import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AdjustmentRequest, type Decision, decisionRefusal } from "./adjustment-request.ts";

const at = (day: number) => Temporal.Instant.from("2026-03-01T00:00:00Z").add({ hours: 24 * day });

const waiting: AdjustmentRequest = {
  ...{
    uid: "r",
    bucket: 0,
    customerUid: "c",
    kind: "add",
    pointValue: 5n,
    excess: "customer",
    earlierPoints: 0n,
    earlierOfDay: 0n,
    balance: null,
    undoes: null,
  },
  ...{ extends: false, origin: null, reasonType: null, note: null },
  ...{ requestedBy: "a", requestedName: "A", requestedAt: at(0), expiresAt: at(30), state: "waiting" },
  ...{ decidedBy: null, decidedName: null, decidedAt: null, decisionNote: null, allotmentUid: null },
};

describe("a request for an adjustment", () => {
  test("is never approved or refused by whoever asked, nor withdrawn by another", () => {
    const person = fc.record({ uid: fc.constantFrom("a", "b"), mayApprove: fc.boolean() });
    const decisions = fc.constantFrom<Decision>("approved", "refused", "withdrawn");
    fc.assert(
      fc.property(person, decisions, fc.integer({ min: 0, max: 29 }), (by, decision, day) => {
        const may = decision === "withdrawn" ? by.uid === "a" : by.uid === "b" && by.mayApprove;
        expect(decisionRefusal(waiting, decision, by, at(day))).toBe(may ? null : "forbidden");
      }),
    );
  });

  test("is decided once, and not after its time", () => {
    const by = { uid: "b", mayApprove: true };
    expect(decisionRefusal(waiting, "approved", by, at(30))).toBe("request_expired");
    for (const state of ["approved", "refused", "withdrawn"] as const) {
      expect(decisionRefusal({ ...waiting, state }, "approved", by, at(1))).toBe("request_decided");
    }
  });
});
