import { isIP, type LookupFunction } from "node:net";
import type { Deps } from "../../deps.ts";
import { type CallbackResolver, resolveCallback } from "./resolve-callback.ts";

/**
 * Creates the lookup function of a socket. It returns only checked addresses, and the socket connects to these, so a name cannot change its address
 * between the check and the connection (program.md 7).
 */
export function guardedLookup(deps: Pick<Deps, "config">, resolver?: CallbackResolver): LookupFunction {
  return (host, options, done) => {
    resolveCallback(deps, host, resolver).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const first = found[0];
        if (first === undefined) done(new Error(`no address for ${host}`), "");
        else if (options.all === true) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ""),
    );
  };
}
