import type { Deps } from "./deps.ts";
import { createPostingQueue } from "./ledger/posting-queue.ts";

/** Completes the parts of a process with what is made of them. */
export function createDeps(parts: Omit<Deps, "postings">): Deps {
  return { ...parts, postings: createPostingQueue(parts) };
}
