export const SESSION_COOKIE = "pointkeeper_session";
const DEVICE_COOKIE = "pointkeeper_device";

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

/** Whether a request reads what a page reads by itself while nobody touches it: it keeps no session open. */
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
export function sessionCookie(token: string, maxAgeS: number, isSecure: boolean): string {
  return cookie(`${SESSION_COOKIE}=${token}`, maxAgeS, isSecure);
}

/** `set-cookie` by which the browser is known at its next sign-in; it opens nothing. */
export function deviceCookie(token: string, maxAgeS: number, isSecure: boolean): string {
  return cookie(`${DEVICE_COOKIE}=${token}`, maxAgeS, isSecure);
}

function cookie(pair: string, maxAgeS: number, isSecure: boolean): string {
  const secure = isSecure ? "; Secure" : "";
  return `${pair}; Max-Age=${maxAgeS}; Path=/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** `set-cookie` that takes the session's away. */
export function endedCookie(isSecure: boolean): string {
  return sessionCookie("", 0, isSecure);
}
