import { expect, test } from "vitest";
import { FAULT_KINDS, planRound } from "./plan.ts";

test("a plan has every kind, in order of time, and is the same for the same seed", () => {
  const given = { seed: 3, round: 2, roundMs: 30_000, nodes: 3, kinds: FAULT_KINDS, frozenMsMax: 45_000 };
  const faults = planRound(given);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
  expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect(planRound(given)).toEqual(faults);
  expect(planRound({ ...given, seed: 4 })).not.toEqual(faults);
});
