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
  const addresses = await resolver(host);
  if (deps.config.allowPrivateCallbacks) return addresses;
  const forbidden = addresses.find((address) => !isPublicAddress(address));
  if (forbidden !== undefined) throw new ForbiddenAddress(`${host} is at ${forbidden}, which is no public address`);
  return addresses;
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
