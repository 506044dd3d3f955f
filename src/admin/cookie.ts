import { publicPath } from "../http/public-path.ts";

export const SESSION_COOKIE = "pointkeeper_session";
const DEVICE_COOKIE = "pointkeeper_device";
const OIDC_COOKIE = "pointkeeper_oidc";
const CHANGED_COOKIE = "pointkeeper_changed";

/** The session's token in a `cookie` header; null: none that can be one. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  return tokenOf(cookies, SESSION_COOKIE);
}

/** The token in a `cookie` header by which a browser that signed in before is known; null: none that can be one. */
export function deviceTokenOf(cookies: string | undefined): string | null {
  return tokenOf(cookies, DEVICE_COOKIE);
}

function tokenOf(cookies: string | undefined, cookieName: string): string | null {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === cookieName && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** Whether a page made the request by itself while nobody used it: such a request does not keep a session open. */
export function isPoll({
  method,
  headers,
}: {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
}): boolean {
  return method === "GET" && headers["x-pointkeeper-poll"] === "1";
}

/** `set-cookie` of a session: for scripts of no page, for requests of this site alone, for the dashboard's paths. */
export function sessionCookie(token: string, maxAgeS: number, scope: CookieScope): string {
  return cookie(`${SESSION_COOKIE}=${token}`, maxAgeS, scope);
}

/** `set-cookie` by which the browser is known at its next sign-in; it opens nothing. */
export function deviceCookie(token: string, maxAgeS: number, scope: CookieScope): string {
  return cookie(`${DEVICE_COOKIE}=${token}`, maxAgeS, scope);
}

/** `set-cookie` of a browser that changed something: for so long its pages are not read from a replica. */
export function changedCookie(maxAgeS: number, scope: CookieScope): string {
  return cookie(`${CHANGED_COOKIE}=1`, maxAgeS, scope);
}

/** Whether the browser changed something a moment ago. */
export function hasChanged(cookies: string | undefined): boolean {
  return (cookies ?? "").split(";").some((pair) => pair.trim() === `${CHANGED_COOKIE}=1`);
}

function cookie(pair: string, maxAgeS: number, { isHttps, path }: CookieScope): string {
  const secure = isHttps ? "; Secure" : "";
  return `${pair}; Max-Age=${maxAgeS}; Path=${path}/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** For which requests a browser sends a cookie: for encrypted ones alone, below which path. */
export interface CookieScope {
  readonly isHttps: boolean;
  readonly path: string;
}

/** A proxy tells how it was asked: what came by TLS gets a cookie for TLS, whatever PUBLIC_URL says. */
export function cookieScope({ protocol }: { readonly protocol: string }, publicUrl: string): CookieScope {
  return { isHttps: protocol === "https" || publicUrl.startsWith("https:"), path: publicPath(publicUrl) };
}

/** An attempt at the identity provider in a `cookie` header; null: none. */
export function oidcAttemptOf(cookies: string | undefined): string | null {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === OIDC_COOKIE && value !== undefined && /^[\w-]{1,2000}$/.test(value)) return value;
  }
  return null;
}

/**
 * `set-cookie` of an attempt at the identity provider, and with no text its end. The provider's page leads back here, so it is sent with that
 * one navigation of another site (Lax), and to the callback alone.
 */
export function oidcCookie(attempt: string, maxAgeS: number, { isHttps, path }: CookieScope): string {
  const secure = isHttps ? "; Secure" : "";
  const end = `Max-Age=${maxAgeS}; Path=${path}/admin/api/session/oidc; HttpOnly; SameSite=Lax${secure}`;
  return `${OIDC_COOKIE}=${attempt}; ${end}`;
}

/** `set-cookie` that takes the session's away. */
export function endedCookie(scope: CookieScope): string {
  return sessionCookie("", 0, scope);
}
