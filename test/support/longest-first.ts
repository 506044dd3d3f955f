import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Parts of the paths of slow test files, the slowest first: if one began last, one worker would be busy with it while the others are idle. */
const LONG = [
  "test/flows/kill-under-load",
  "test/flows/start-stop",
  "test/flows/three-years",
  "test/flows/move-kill",
  "test/documents/pages",
  "test/browser/program",
  "test/flows/demo",
  "test/flows/failover",
  "test/torture/round",
  "test/flows/secret-key",
  "test/flows/rolling-restart",
  "test/flows/command-ends",
  "test/flows/first-run",
  "test/flows/sandbox-clock",
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
