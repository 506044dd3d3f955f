import { publicPath } from "../http/public-path.ts";

const SESSION_COOKIE = "pointkeeper_session";
const DEVICE_COOKIE = "pointkeeper_device";
const OIDC_COOKIE = "pointkeeper_oidc";
const CHANGED_COOKIE = "pointkeeper_changed";

/** Returns the session's token from a `cookie` header; null: there is no well-formed one. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  return tokenOf(cookies, SESSION_COOKIE);
}

/** Returns the token by which a browser that signed in before is recognized, from a `cookie` header; null: there is no well-formed one. */
export function deviceTokenOf(cookies: string | undefined): string | null {
  return tokenOf(cookies, DEVICE_COOKIE);
}

function tokenOf(cookies: string | undefined, name: string): string | null {
  return valuesOf(cookies, name).find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}

/** Returns the values of a name in a `cookie` header. It looks for the name only: a header of 128 KB may have as many parts. */
function valuesOf(cookies: string | undefined, name: string): string[] {
  if (cookies === undefined) return [];
  const values: string[] = [];
  for (let at = cookies.indexOf(`${name}=`); at !== -1; at = cookies.indexOf(`${name}=`, at + 1)) {
    let before = at - 1;
    while (cookies[before] === " ") before--;
    if (before >= 0 && cookies[before] !== ";") continue;
    const end = cookies.indexOf(";", at);
    values.push(cookies.slice(at + name.length + 1, end === -1 ? undefined : end).trim());
  }
  return values;
}

/** Whether an unattended page sent the request: such a request does not keep a session open. */
export function isPoll({
  method,
  headers,
}: {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
}): boolean {
  return method === "GET" && headers["x-pointkeeper-poll"] === "1";
}

/** `set-cookie` of a session: hidden from scripts, sent only with requests of this site to the dashboard's paths. */
export function sessionCookie(token: string, maxAgeS: number, scope: CookieScope): string {
  return cookie(`${SESSION_COOKIE}=${token}`, maxAgeS, scope);
}

/** `set-cookie` by which the browser is recognized at its next sign-in. It grants no access. */
export function deviceCookie(token: string, maxAgeS: number, scope: CookieScope): string {
  return cookie(`${DEVICE_COOKIE}=${token}`, maxAgeS, scope);
}

/** `set-cookie` of a browser that changed something: for `maxAgeS` seconds its pages are not read from a replica. */
export function changedCookie(maxAgeS: number, scope: CookieScope): string {
  return cookie(`${CHANGED_COOKIE}=1`, maxAgeS, scope);
}

/** Whether the browser changed something a moment ago. */
export function hasChanged(cookies: string | undefined): boolean {
  return valuesOf(cookies, CHANGED_COOKIE).includes("1");
}

function cookie(pair: string, maxAgeS: number, { isHttps, path }: CookieScope): string {
  const secure = isHttps ? "; Secure" : "";
  return `${pair}; Max-Age=${maxAgeS}; Path=${path}/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether a cookie is sent only over HTTPS, and the path below which it is sent. */
export interface CookieScope {
  readonly isHttps: boolean;
  readonly path: string;
}

/** A request that the proxy received by TLS gets a Secure cookie, even if PUBLIC_URL is not https. */
export function cookieScope({ protocol }: { readonly protocol: string }, publicUrl: string): CookieScope {
  return { isHttps: protocol === "https" || publicUrl.startsWith("https:"), path: publicPath(publicUrl) };
}

/** Returns the sign-in attempt at the identity provider from a `cookie` header; null: none. */
export function oidcAttemptOf(cookies: string | undefined): string | null {
  return valuesOf(cookies, OIDC_COOKIE).find((value) => /^[\w-]{1,2000}$/.test(value)) ?? null;
}

/**
 * `set-cookie` of a sign-in attempt at the identity provider; an empty text removes it. It is sent to the callback only. The provider's page, on
 * another site, redirects there, which needs Lax.
 */
export function oidcCookie(attempt: string, maxAgeS: number, { isHttps, path }: CookieScope): string {
  const secure = isHttps ? "; Secure" : "";
  const end = `Max-Age=${maxAgeS}; Path=${path}/admin/api/session/oidc; HttpOnly; SameSite=Lax${secure}`;
  return `${OIDC_COOKIE}=${attempt}; ${end}`;
}

/** `set-cookie` that removes the session's cookie. */
export function endedCookie(scope: CookieScope): string {
  return sessionCookie("", 0, scope);
}
