import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more: begun last, one of them would keep one worker busy and the others idle. */
const LONG = ["flows/three-years", "flows/kill-under-load", "flows/start-stop", "flows/demo", "browser/program"];

/** Vitest's own order, with the long files before all others: it knows how long each took only where it ran before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((part) => moduleId.includes(`/test/${part}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
