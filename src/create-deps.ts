import { primaryReads } from "./db/reads.ts";
import type { Deps } from "./deps.ts";
import { createInstruments } from "./instruments/instruments.ts";
import { createRequestQueue } from "./points/create-request-queue.ts";

/** The parts that a process may omit: by default it reads the primary, has its own counters, and no traces. */
type Usual = "reads" | "instruments" | "tracer";

/** Completes the parts of a process with those that are made from them. */
export function createDeps(parts: Omit<Deps, "postings" | Usual> & Partial<Pick<Deps, Usual>>): Deps {
  const { reads = primaryReads(parts.db), instruments = createInstruments(), tracer = null } = parts;
  const given = { ...parts, reads, instruments, tracer };
  return { ...given, postings: createRequestQueue(given) };
}
