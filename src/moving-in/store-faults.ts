import type { IssueCode, StoredIssue } from "../imports/issue.ts";

/** Whether a fault is of who is here, or of what another move has brought: another moment may find another one. */
export function dependsOnStore({ code }: Pick<StoredIssue, "code">): boolean {
  return STORE_FAULTS.has(code);
}

const STORE_FAULTS: ReadonlySet<IssueCode> = new Set([
  "moved_before",
  "customer_ambiguous",
  "customer_deleted",
  "id_of_another",
]);
