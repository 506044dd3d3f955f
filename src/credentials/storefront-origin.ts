const ORIGIN_LENGTH_MAX = 300;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The most origins that a store allows. */
export const ORIGINS_MAX = 50;

export const EXPECTED_ORIGIN =
  "expected the origin of the shop's pages, such as https://shop.example.com: no path, no *, and https unless it is this machine's";

/**
 * An origin as browsers send it (`https://shop.example.com`), of text that a person typed; null: it is none, has a path, a wildcard or a
 * user, or its pages come without TLS, so that anybody on the way could read a token.
 */
export function parseOrigin(text: string): string | null {
  const trimmed = text.trim().replace(/\/$/, "");
  if (trimmed.length > ORIGIN_LENGTH_MAX || trimmed.includes("*") || !URL.canParse(trimmed)) return null;
  const { origin, protocol, hostname, href, username, password } = new URL(trimmed);
  if (origin === "null" || href !== `${origin}/` || username !== "" || password !== "") return null;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname)) ? origin : null;
}
