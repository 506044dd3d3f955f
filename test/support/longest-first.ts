import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of the paths of slow test files, the slowest first: if one began last, one worker would be busy with it while the others are idle. */
const LONG = [
  "test/flows/ledger/kill-under-load",
  "test/flows/operations/start-stop",
  "test/flows/operations/three-years",
  "test/flows/moving-in/move-kill",
  "test/documents/pages",
  "test/browser/program",
  "test/flows/operations/demo",
  "test/flows/operations/failover",
  "test/torture/round",
  "test/flows/proofs/secret-key",
  "test/flows/operations/rolling-restart",
  "test/flows/operations/command-ends",
  "test/flows/operations/first-run",
  "test/flows/operations/sandbox-clock",
  "test/admin/csv-kill",
  "test/browser/",
  "src/orders/plan/order-histories",
  "src/orders/plan/order-mixed-histories",
  "test/ledger-model/decide-postings",
  "src/orders/plan/stories",
  "src/explain/order-explanation",
  "src/admin/program/raises",
];

/** Vitest's order with the slow files first: it only has the durations of files that it ran before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((part) => moduleId.includes(`/${part}`));
  return place === -1 ? LONG.length : place;
}
