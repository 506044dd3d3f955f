import type { IssueCode, StoredIssue } from "../imports/issue.ts";

/** Whether a fault depends on the present customers or on other moves, so that it may change later. */
export function dependsOnStore({ code }: Pick<StoredIssue, "code">): boolean {
  return STORE_FAULTS.has(code);
}

const STORE_FAULTS: ReadonlySet<IssueCode> = new Set([
  "moved_before",
  "customer_ambiguous",
  "customer_deleted",
  "id_of_another",
  "row_repeated",
]);
