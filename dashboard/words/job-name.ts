import { JOB_NAMES } from "../../src/wire/job-names.ts";
import { nameOf } from "./name-of.ts";
import { defineWords, useWords } from "./use-words.ts";

const names = defineWords(JOB_NAMES);

/** Returns a function that names jobs in the page's language; an unknown one has its name in the schedule. */
export function useJobName(): (name: string) => string {
  const known = useWords(names);
  return (name) => nameOf(known, name);
}
