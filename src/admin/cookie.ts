export const SESSION_COOKIE = "pointkeeper_session";

/** The session's token in a `cookie` header; null: none that can be one. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === SESSION_COOKIE && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
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
  const secure = isSecure ? "; Secure" : "";
  return `${SESSION_COOKIE}=${token}; Max-Age=${maxAgeS}; Path=/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** `set-cookie` that takes the session's away. */
export function endedCookie(isSecure: boolean): string {
  return sessionCookie("", 0, isSecure);
}
