import * as oidc from "openid-client";
import type { Deps } from "../../deps.ts";
import { addressKey } from "../../http/address-key.ts";
import { createLimiter } from "../../http/limits/limiter.ts";
import { Problem } from "../../problems.ts";
import { requestFailure } from "../../request-failure.ts";
import { confirmByIdentity } from "../sessions/confirm-by-identity.ts";
import { CONFIRMED_MINUTES, hashToken } from "../sessions/session.ts";
import type { StartedSession } from "../sessions/start-session.ts";
import { countAttempt, uncountAttempt } from "../sign-in/attempt-queries.ts";
import { ADDRESS_RULE } from "../sign-in/lockout.ts";
import { admitIdentity } from "./admit-identity.ts";
import { consumeToken } from "./identity-queries.ts";
import { linkIdentity } from "./link-identity.ts";
import { OIDC_ATTEMPT_S, type OidcAttempt, type OidcIntent, oidcCallbackUrl, readOidcAttempt } from "./oidc-attempt.ts";
import {
  type Claims,
  claimsOfBoth,
  lacksClaims,
  type OidcRefusal,
  type ProviderPerson,
  personOf,
} from "./oidc-claims.ts";
import { openProvider } from "./open-provider.ts";

/** The most attempts that wait for the provider at once; more would only wait for it too. */
const ASKING_MAX = 20;
const WAITING_MAX = 100;
const limit = createLimiter({ running: ASKING_MAX, waiting: WAITING_MAX });

type OidcDeps = Pick<Deps, "db" | "config" | "log" | "clock" | "random" | "secretBox">;

/** The response of the provider, and the browser that brought it. */
export interface OidcReturn {
  /** The query of the callback, with its question mark. */
  readonly search: string;
  readonly cookie: string | null;
  readonly address: string;
  readonly userAgent: string | null;
  readonly device: string | null;
}

export type OidcOutcome = { readonly intent: OidcIntent } & OidcEnd;

type OidcEnd =
  | { readonly kind: "signed_in"; readonly started: StartedSession }
  | { readonly kind: "linked" | "confirmed" }
  | { readonly kind: "refused"; readonly why: OidcRefusal };

const refused = (why: OidcRefusal): OidcEnd => ({ kind: "refused", why });

/**
 * Finishes an attempt: signs in, links or confirms. Never throws for what the provider or the person did; it returns a refusal with the
 * reason. An attempt is finished once, by the browser that started it.
 */
export async function finishOidc(deps: OidcDeps, back: OidcReturn): Promise<OidcOutcome> {
  const attempt = openAttempt(deps, back.cookie);
  const intent = attempt?.intent ?? "sign_in";
  return { intent, ...(await endAttempt(deps, attempt, back)) };
}

async function endAttempt(deps: OidcDeps, attempt: OidcAttempt | null, back: OidcReturn): Promise<OidcEnd> {
  // The browser keeps its latest attempt only. The answer to an earlier one, of another tab, leaves it as it is.
  if (attempt === null || new URLSearchParams(back.search).get("state") !== attempt.state) return refused("state");
  if (!(await consumeToken(deps.db, hashToken(attempt.state), OIDC_ATTEMPT_S))) return refused("state");
  const person = await readCounted(deps, attempt, back);
  if (typeof person === "string") return refused(person);
  const { acrs = [] } = deps.config.oidc ?? {};
  if (acrs.length > 0 && !acrs.includes(person.acr ?? "")) return refused("acr");
  if (attempt.intent === "sign_in") return admitIdentity(deps, person, back);
  const session = { hash: Buffer.from(attempt.session ?? "", "base64url"), address: back.address };
  return attempt.intent === "link" ? linkIdentity(deps, person, session) : confirmByIdentity(deps, person, session);
}

/**
 * The person whom the provider authenticated. A code that the provider refuses counts as a failure of the address, like a wrong password.
 * Otherwise anybody could make this service send it invented codes without end.
 */
async function readCounted(
  deps: OidcDeps,
  attempt: OidcAttempt,
  { search, address }: OidcReturn,
): Promise<ProviderPerson | OidcRefusal> {
  const key = `oidc/${addressKey(address)}`;
  try {
    await countAttempt(deps, [{ key, rule: ADDRESS_RULE }]);
  } catch (error) {
    if (error instanceof Problem && error.code === "too_many_requests") return "too_many";
    throw error;
  }
  const person = await limit(() => readPerson(deps, attempt, search)).catch((error: unknown) => refusalOf(deps, error));
  if (person !== "invalid") await uncountAttempt(deps.db, key);
  return person;
}

/** Null where there is none, it is too old, or this service did not encrypt it for this use. */
function openAttempt({ secretBox }: OidcDeps, cookie: string | null): OidcAttempt | null {
  if (cookie === null) return null;
  try {
    const attempt = readOidcAttempt(secretBox.open(Buffer.from(cookie, "base64url")));
    return attempt !== null && attempt.endsMs > Date.now() ? attempt : null;
  } catch {
    return null;
  }
}

/** The person whom the provider authenticated; a string is the reason why not. The log contains the reason of an error in words of the library or of the network, never a code or a token. */
async function readPerson(deps: OidcDeps, attempt: OidcAttempt, search: string): Promise<ProviderPerson | OidcRefusal> {
  try {
    const provider = await openProvider(deps);
    const url = new URL(oidcCallbackUrl(deps.config.publicUrl));
    url.search = search;
    const tokens = await oidc.authorizationCodeGrant(provider, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
      ...(attempt.intent === "confirm" ? { maxAge: CONFIRMED_MINUTES * 60 } : {}),
    });
    const claims: Claims | undefined = tokens.claims();
    if (claims === undefined) return "invalid";
    const roles = deps.config.oidc?.roles ?? null;
    if (!lacksClaims(claims, roles) || provider.serverMetadata().userinfo_endpoint === undefined)
      return personOf(claims, roles);
    const more = await oidc.fetchUserInfo(provider, tokens.access_token, String(claims["sub"]));
    return personOf(claimsOfBoth(claims, { ...more }, roles), roles);
  } catch (error) {
    return refusalOf(deps, error);
  }
}

interface OidcError extends Error {
  readonly code: string;
  /** The error in the body of the provider's answer. */
  readonly error: string;
  readonly status: number;
}

/** Errors that say that the provider does not know this service, or not for this: an expired secret of the client, for example. */
const OF_SETTINGS: readonly unknown[] = [
  "invalid_client",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
];
const UNAUTHORIZED = 401; // of this service, not of the person
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** Whether the provider's answer is about itself or the settings: no code causes it, so it is no failure of whoever brings one. */
function isOfNobody(status: number | undefined, answer: unknown): boolean {
  if (OF_SETTINGS.includes(answer)) return true;
  if (status === undefined) return false;
  return status === UNAUTHORIZED || status === TOO_MANY || status >= SERVER_ERROR;
}

function refusalOf({ log }: OidcDeps, error: unknown): OidcRefusal {
  if (error instanceof Problem) return "unreachable";
  if (error instanceof oidc.AuthorizationResponseError) {
    log.info({ code: error.error }, "a sign-in ended at the identity provider");
    return "cancelled";
  }
  const { name, code, error: answer, cause, status: given } = (error ?? {}) as Partial<OidcError>; // cast: fields are looked at before they are used
  const reason = requestFailure(error);
  const status = cause instanceof Response ? cause.status : given;
  const isLost = error instanceof TypeError || name === "TimeoutError" || code === "OAUTH_TIMEOUT";
  const isAway = isLost || isOfNobody(status, answer);
  const says = isAway ? "a request to the identity provider failed" : "the identity provider's answer cannot be used";
  log.warn({ name, code, status, answer, reason }, says);
  return isAway ? "unreachable" : "invalid";
}
