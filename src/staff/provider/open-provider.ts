import * as oidc from "openid-client";
import type { Deps } from "../../deps.ts";
import type { OidcSettings } from "../../oidc-settings.ts";
import { Problem } from "../../problems.ts";
import { requestFailure } from "../../request-failure.ts";
import { isOidcOn } from "./identity-queries.ts";

/** The provider's metadata is read again after this time. */
const KEPT_MS = 10 * 60_000;
/** After a failure the metadata is read again after this time. */
const FAILED_MS = 5_000;
const ANSWER_S = 10;
/** Metadata, keys, tokens and claims have some kilobytes. */
const ANSWER_BYTES_MAX = 1_048_576;

interface Known {
  readonly provider: Promise<oidc.Configuration>;
  readonly endsMs: number;
}

/** By the settings object, of which a process has one. */
const known = new WeakMap<object, Known>();

/**
 * The identity provider of the settings, with its metadata. 409 `oidc_off` where none is configured; 503 where it does not respond, or is not
 * the expected issuer. Anybody may cause this call, so the metadata is read only once at a time, and not again at once after a failure.
 */
export async function openProvider(deps: Pick<Deps, "db" | "config" | "log">): Promise<oidc.Configuration> {
  const { oidc: settings } = deps.config;
  if (settings === null || !(await isOidcOn(deps))) throw new Problem("oidc_off");
  const kept = known.get(settings);
  if (kept !== undefined && kept.endsMs > performance.now()) return kept.provider;
  const keep = (keptMs: number) => known.set(settings, { provider, endsMs: performance.now() + keptMs });
  const provider = discover(deps, settings);
  keep(KEPT_MS);
  provider.catch(() => keep(FAILED_MS)); // the caller gets the refusal itself
  return provider;
}

async function discover({ log }: Pick<Deps, "log">, settings: OidcSettings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const auth = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  const isLocal = issuer.startsWith("http:");
  try {
    return await oidc.discovery(new URL(issuer), clientId, {}, auth, {
      timeout: ANSWER_S,
      [oidc.customFetch]: fetchBounded,
      ...(isLocal ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
  } catch (error) {
    log.warn(
      { error, reason: requestFailure(error), issuer },
      "the identity provider does not describe itself: see POINTKEEPER_OIDC_ISSUER",
    );
    throw new Problem("provider_unavailable", { retryAfterS: 30 });
  }
}

/**
 * Fetches from the identity provider, and reads the answer up to a limit. The library would read all of it, as a text and as JSON: a provider that
 * is broken or taken over could send gigabytes, compressed to some megabytes. A longer answer fails like a connection that breaks.
 */
async function fetchBounded(...[url, options]: Parameters<oidc.CustomFetch>): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(url, options as RequestInit); // cast: the library describes what `fetch` takes
  if (body === null) return new Response(null, { status, statusText, headers });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) throw new TypeError(`the answer is longer than ${ANSWER_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  return new Response(Buffer.concat(pieces), { status, statusText, headers });
}
