import { ApiError } from "../../api/api-error.ts";
import { localizeRefusal } from "../../words/localize-refusal.ts";

/** Returns the fault of one field of a refused request, by JSON pointer or parameter name; null: none. */
export function faultOf(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.faults.find((fault) => fault.pointer === pointer || fault.parameter === pointer);
  return found === undefined ? null : localizeRefusal(found.detail);
}
