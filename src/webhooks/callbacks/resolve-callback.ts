import { lookup } from "node:dns/promises";
import type { Deps } from "../../deps.ts";
import { isPublicAddress } from "./callback-url.ts";

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
  const forbidden = addresses.find((address) => !isPublicAddress(address));
  if (forbidden !== undefined) throw new ForbiddenAddress(`${host} is at ${forbidden}, which is no public address`);
  return addresses;
}

const lookups = new WeakMap<CallbackResolver, Map<string, Promise<readonly string[]>>>();

/**
 * All who ask for a host at the same time share one lookup. The process makes two lookups at a time for everything, its database included: the many
 * connections to one receiver whose name is answered slowly, or never, must not take both.
 */
function lookedUpOnce(resolver: CallbackResolver, host: string): Promise<readonly string[]> {
  const pending = lookups.get(resolver) ?? new Map<string, Promise<readonly string[]>>();
  lookups.set(resolver, pending);
  const begun = pending.get(host) ?? resolver(host).finally(() => pending.delete(host));
  pending.set(host, begun);
  return begun;
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
