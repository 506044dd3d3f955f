import { primaryReads } from "./db/reads.ts";
import type { Deps } from "./deps.ts";
import { createRequestQueue } from "./points/create-request-queue.ts";

/** Completes the parts of a process with what is made of them; without `reads` all is read from `db`. */
export function createDeps(parts: Omit<Deps, "postings" | "reads"> & Partial<Pick<Deps, "reads">>): Deps {
  const { reads = primaryReads(parts.db) } = parts;
  return { ...parts, reads, postings: createRequestQueue({ ...parts, reads }) };
}
