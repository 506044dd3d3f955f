import { type Fault, Problem } from "../problems.ts";

/** Returns what was read from a request, by code that collects faults. Throws `invalid` with all of them, if there are any. */
export function withoutFaults<Read extends { readonly faults: readonly Fault[] }>(read: Read): Read {
  if (read.faults.length > 0) throw new Problem("invalid", { faults: read.faults });
  return read;
}
