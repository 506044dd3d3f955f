export const SESSION_COOKIE = "pointkeeper_session";

/** The session's token in a `cookie` header; null: none that can be one. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  for (const pair of (cookies ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === SESSION_COOKIE && value !== undefined && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** `set-cookie` of a session: for scripts of no page, for requests of this site alone, for the dashboard's paths. */
export function sessionCookie(token: string, maxAgeS: number, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${SESSION_COOKIE}=${token}; Max-Age=${maxAgeS}; Path=/admin; HttpOnly; SameSite=Strict${secure}`;
}

/** `set-cookie` that takes the session's away. */
export function endedCookie(publicUrl: string): string {
  return sessionCookie("", 0, publicUrl);
}
