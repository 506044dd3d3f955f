import { isIP } from "node:net";
import type { Deps } from "../../deps.ts";
import { createLimiter } from "../../http/limits/limiter.ts";
import { invalid, Problem } from "../../problems.ts";
import { callbackHost, refuseCallbackUrl } from "./callback-url.ts";
import { type CallbackResolver, ForbiddenAddress, resolveCallback } from "./resolve-callback.ts";

/** Anybody who may subscribe can name hosts whose lookup takes long: one at a time, so that the process's other lookups go on. */
const limitLookups = createLimiter({ running: 1, waiting: 20 });

export interface CheckCallbackOptions {
  readonly resolver?: CallbackResolver | undefined;
  /** The field that contains the URL. */
  readonly pointer?: string;
}

/**
 * Checks that a URL may be called; otherwise throws `invalid` on `pointer` (program.md 7). It looks up the host, so it runs outside every
 * transaction. The connection of each attempt checks again. Throws `unavailable` (503) if many lookups wait.
 */
export async function checkCallback(
  deps: Pick<Deps, "config">,
  callbackUrl: string,
  { resolver, pointer = "/callback_url" }: CheckCallbackOptions = {},
): Promise<void> {
  const { allowPrivateCallbacks, callbackPorts } = deps.config;
  const refusal = refuseCallbackUrl(callbackUrl, allowPrivateCallbacks, callbackPorts);
  if (refusal !== null) throw invalid(pointer, refusal);
  const host = callbackHost(new URL(callbackUrl));
  if (allowPrivateCallbacks || isIP(host) !== 0) return;
  try {
    await limitLookups(() => resolveCallback(deps, host, resolver));
  } catch (error) {
    if (error instanceof Problem) throw error;
    const detail = error instanceof ForbiddenAddress ? error.message : "expected a host that can be found";
    throw invalid(pointer, detail);
  }
}
