import type { ImportDetail } from "../../../src/admin/csv/schema.ts";

/** Whether less than the sum of the deductions may be taken: the check warned of rows, and one above its balance takes nothing. */
export function takesLess({ check, warning_count }: Pick<ImportDetail, "check" | "warning_count">): boolean {
  return warning_count > 0 && (check?.points_taken ?? 0) > 0;
}
