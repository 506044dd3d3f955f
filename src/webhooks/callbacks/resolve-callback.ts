import { lookup } from "node:dns/promises";
import type { Deps } from "../../deps.ts";
import { createLimiter } from "../../http/limits/limiter.ts";
import { isPublicAddress, PUBLIC_EXPECTED } from "./callback-url.ts";

/** Returns every address of a host; rejects if there is none. Absent: the system's lookup. */
export type CallbackResolver = (host: string) => Promise<readonly string[]>;

/** The host resolves to an address that must not be called. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

/**
 * Returns every address of a callback's host, after checking all of them. One address that is not public forbids the host, unless private callbacks
 * are allowed (program.md 7). Throws ForbiddenAddress, or what the lookup throws.
 */
export async function resolveCallback(
  deps: Pick<Deps, "config">,
  host: string,
  resolver: CallbackResolver = resolveBySystem,
): Promise<readonly string[]> {
  const addresses = await lookedUpOnce(resolver, host);
  if (deps.config.allowPrivateCallbacks) return addresses;
  if (!addresses.every(isPublicAddress)) throw new ForbiddenAddress(PUBLIC_EXPECTED);
  return addresses;
}

/** A lookup that takes longer is slow: an attempt has 5 seconds for all. */
const SLOW_MS = 2_000;
/** Hosts that are remembered as slow; those that became slow first are forgotten first. */
const SLOW_HOSTS_MAX = 1_000;

/** The lookups of one resolver. */
interface Lookups {
  /** By host. */
  readonly pending: Map<string, Promise<readonly string[]>>;
  /** Hosts whose last lookup was slow, whatever came of it. */
  readonly slow: Set<string>;
  readonly limitSlow: ReturnType<typeof createLimiter>;
}

const lookupsOf = new WeakMap<CallbackResolver, Lookups>();

/**
 * All who ask for a host at the same time share one lookup, and hosts whose last lookup was slow are looked up one at a time. The process
 * makes two lookups at a time for everything, its database included: receivers whose names are answered slowly, or never, must not take both.
 */
function lookedUpOnce(resolver: CallbackResolver, host: string): Promise<readonly string[]> {
  const lookups = lookupsOf.get(resolver) ?? {
    pending: new Map(),
    slow: new Set(),
    limitSlow: createLimiter({ running: 1, waiting: SLOW_HOSTS_MAX }),
  };
  lookupsOf.set(resolver, lookups);
  const { pending, slow, limitSlow } = lookups;
  const lookUp = () => lookedUpTimed(resolver, host, slow);
  const begun =
    pending.get(host) ?? (slow.has(host) ? limitSlow(lookUp) : lookUp()).finally(() => pending.delete(host));
  pending.set(host, begun);
  return begun;
}

async function lookedUpTimed(resolver: CallbackResolver, host: string, slow: Set<string>): Promise<readonly string[]> {
  const startedMs = performance.now();
  try {
    return await resolver(host);
  } finally {
    slow.delete(host);
    if (performance.now() - startedMs > SLOW_MS) slow.add(host);
    const [first] = slow;
    if (slow.size > SLOW_HOSTS_MAX && first !== undefined) slow.delete(first);
  }
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
