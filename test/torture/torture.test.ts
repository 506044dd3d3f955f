import { expect, test } from "vitest";
import { FAULT_KINDS, planRound } from "./plan.ts";
import { torture } from "./run.ts";

const LONG_MS = 300_000;
/** What a machine that is full has time for; the others are for `npm run torture`. */
const QUICK_KINDS = FAULT_KINDS.filter((kind) => kind !== "disk full");
const options = {
  seed: 5,
  rounds: 1,
  roundMs: 8_000,
  lanes: 6,
  frozenMsMax: 1_500,
  withOwnDisk: false,
  print: () => {},
};

test("a plan has every kind, in order of time, and is the same for the same seed", () => {
  const given = { seed: 3, round: 2, roundMs: 30_000, nodes: 3, kinds: FAULT_KINDS, frozenMsMax: 45_000 };
  const faults = planRound(given);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
  expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect(planRound(given)).toEqual(faults);
  expect(planRound({ ...given, seed: 4 })).not.toEqual(faults);
});

test("one round of every fault loses, doubles and invents nothing", { timeout: LONG_MS }, async () => {
  const { findings, faults, chores } = await torture({ ...options, kinds: QUICK_KINDS });
  expect(findings.details).toEqual([]);
  const none = { lost: 0, doubled: 0, faults: 0, undelivered: 0, phantom: 0, unsigned: 0, unverified: 0 };
  expect(findings).toMatchObject(none);
  expect(QUICK_KINDS.filter((kind) => (faults.get(kind) ?? 0) === 0)).toEqual([]);
  expect([...chores.keys()]).toEqual(expect.arrayContaining(["CSV files imported", "customers merged"]));
  expect(findings.acknowledged).toBeGreaterThan(20);
});

test("the audit finds commits that the database never heard of", { timeout: LONG_MS }, async () => {
  const { findings } = await torture({ ...options, roundMs: 3_000, kinds: [], forgedCommits: 200 });
  expect(findings.lost).toBeGreaterThan(0);
});
