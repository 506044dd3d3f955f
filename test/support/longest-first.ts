import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait long for processes they start, the longest first: begun last, one would keep one worker busy and the others idle. */
const LONG = [
  "flows/kill-under-load",
  "flows/start-stop",
  "flows/three-years",
  "browser/program",
  "flows/demo",
  "flows/secret-key",
  "flows/rolling-restart",
  "flows/command-ends",
  "flows/first-run",
  "flows/sandbox-clock",
  "admin/csv-kill",
  "browser/",
];

/** Vitest's own order, with the long files before all others: it knows how long each took only where it ran before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((part) => moduleId.includes(`/test/${part}`));
  return place === -1 ? LONG.length : place;
}
