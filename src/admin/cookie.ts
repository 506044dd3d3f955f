export const SESSION_COOKIE = "pointkeeper_session";
const DEVICE_COOKIE = "pointkeeper_device";
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
export function sessionCookie(token: string, maxAgeS: number, isHttps: boolean): string {
  return cookie(`${SESSION_COOKIE}=${token}`, maxAgeS, isHttps);
}

/** `set-cookie` by which the browser is known at its next sign-in; it opens nothing. */
export function deviceCookie(token: string, maxAgeS: number, isHttps: boolean): string {
  return cookie(`${DEVICE_COOKIE}=${token}`, maxAgeS, isHttps);
}

/** `set-cookie` of a browser that changed something: for so long its pages are not read from a replica. */
export function changedCookie(maxAgeS: number, isHttps: boolean): string {
  return cookie(`${CHANGED_COOKIE}=1`, maxAgeS, isHttps);
}

/** Whether the browser changed something a moment ago. */
export function hasChanged(cookies: string | undefined): boolean {
  return (cookies ?? "").split(";").some((pair) => pair.trim() === `${CHANGED_COOKIE}=1`);
}

function cookie(pair: string, maxAgeS: number, isHttps: boolean): string {
  const secure = isHttps ? "; Secure" : "";
  return `${pair}; Max-Age=${maxAgeS}; Path=/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether a browser keeps a cookie of this answer for encrypted connections alone. */
export function isSecure({ protocol }: { readonly protocol: string }, publicUrl: string): boolean {
  return protocol === "https" || publicUrl.startsWith("https:");
}

/** `set-cookie` that takes the session's away. */
export function endedCookie(isHttps: boolean): string {
  return sessionCookie("", 0, isHttps);
}
