import type { Deps } from "./deps.ts";
import { createRequestQueue } from "./points/create-request-queue.ts";

/** Completes the parts of a process with what is made of them. */
export function createDeps(parts: Omit<Deps, "postings">): Deps {
  return { ...parts, postings: createRequestQueue(parts) };
}
