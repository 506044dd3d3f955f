import { expect, test } from "vitest";
import { FAULT_KINDS } from "./plan.ts";
import { torture } from "./run.ts";

test("a short round with every fault but a full disk loses, doubles and invents nothing", {
  timeout: 900_000,
}, async () => {
  const kinds = FAULT_KINDS.filter((kind) => kind !== "disk full"); // needs the privilege to mount one
  const said: string[] = [];
  const { findings, faults, chores } = await torture({
    seed: 11,
    rounds: 1,
    roundMs: 8_000,
    lanes: 6,
    kinds,
    frozenMsMax: 2_000,
    importMs: 90_000,
    withOwnDisk: false,
    print: () => {},
    note: (line) => said.push(line),
  });
  expect(findings.details, said.join("\n")).toEqual([]);
  expect(findings).toMatchObject({
    lost: 0,
    doubled: 0,
    faults: 0,
    phantom: 0,
    unsigned: 0,
    unverified: 0,
    undelivered: 0,
    feed: { lost: 0, doubled: 0, invented: 0, misplaced: 0 },
  });
  expect(findings.acknowledged).toBeGreaterThan(0);
  expect(findings.delivered).toBe(findings.due);
  expect([findings.feed.due, findings.feed.read]).toEqual([2 * findings.due, 2 * findings.due]);
  for (const kind of ["node killed", "node frozen", "backend killed", "database killed"] as const)
    expect(faults.get(kind), kind).toBeGreaterThan(0);
  expect([chores.get("customers merged"), chores.get("backups restored and verified")]).toEqual([1, 1]);
});
