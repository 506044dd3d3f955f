import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4 } from "node:net";

/** The parts of a request for the metrics that show who sends it. */
export interface MetricsReader {
  /** The address of the connection itself, not one from a proxy's header. */
  readonly peer: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersion: string;
}

export interface MetricsAccess {
  readonly token: string | undefined;
  readonly publicUrl: string;
}

/** Headers by which a proxy names the client for whom it opened the connection. */
const OF_PROXIES = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip", "via"];
const UNSPECIFIED = ["0.0.0.0", "[::]"];

/**
 * Whether the metrics may be read on the service's own port. With the token they may. Without it, the request must come from this machine, under a
 * name of the loopback (a page of another site whose name resolves to this machine uses that name), and not through a proxy; and PUBLIC_URL must name
 * this machine. A local proxy that adds no header is recognized by HTTP/1.0 or by a PUBLIC_URL with another name.
 */
export function mayReadMetrics(reader: MetricsReader, { token, publicUrl }: MetricsAccess): boolean {
  const { headers, httpVersion, peer } = reader;
  if (token !== undefined && hasToken(headers.authorization, token)) return true;
  const publicHost = new URL(publicUrl).hostname;
  const isPublic = !isLoopbackName(publicHost) && !UNSPECIFIED.includes(publicHost);
  const isForwarded = httpVersion === "1.0" || OF_PROXIES.some((name) => headers[name] !== undefined);
  return !isPublic && !isForwarded && isLoopback(peer) && isLoopbackName(hostOfHeader(headers.host));
}

/** Whether a request has the token: compared by hash, in constant time. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(authorization ?? "")?.[1];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopback(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, "");
  return plain === "::1" || (plain !== undefined && isIPv4(plain) && plain.startsWith("127."));
}

function hostOfHeader(host: string | undefined): string {
  return (host ?? "").replace(/:\d+$/, "").toLowerCase();
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && name.startsWith("127."));
}
