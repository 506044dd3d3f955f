const ORIGIN_LENGTH_MAX = 300;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The maximum number of origins per store. */
export const ORIGINS_MAX = 50;

export const EXPECTED_ORIGIN =
  "expected the origin of the shop's pages, such as https://shop.example.com: no path, no *, and https unless it is this machine's";

/**
 * Parses an origin as browsers send it (`https://shop.example.com`) from text that a person entered. Returns null if it is not an origin, has a path,
 * a wildcard or a user, or does not use TLS, in which case anybody on the network could read a token.
 */
export function parseOrigin(text: string): string | null {
  const trimmed = text.trim().replace(/\/$/, "");
  if (trimmed.length > ORIGIN_LENGTH_MAX || trimmed.includes("*") || !URL.canParse(trimmed)) return null;
  const { origin, protocol, hostname, href, username, password } = new URL(trimmed);
  if (origin === "null" || href !== `${origin}/` || username !== "" || password !== "") return null;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname)) ? origin : null;
}
