import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const URL_LENGTH_MAX = 2_048;
/** White space, control characters, lone surrogates: the URL parser drops or rewrites them. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}]/u;

/** Ports below it belong to services such as mail and SSH, to which a callback must not be sent. */
const FREE_PORTS_FROM = 1_024;
const WEB_PORTS: readonly number[] = [80, 443];

/** Never says which address it is: whoever may name a host would look up names of the service's own network. */
export const PUBLIC_EXPECTED = "expected a public address";

/**
 * Returns why a text cannot be a callback URL; null if it can (program.md 7). It must be https without credentials, with port 80, 443, one from
 * 1024 or one of `ports`; if its host is an address, a public one. `allowPrivate` also allows http, every address and every port. Names are
 * resolved elsewhere.
 */
export function refuseCallbackUrl(text: string, allowPrivate: boolean, ports: readonly number[] = []): string | null {
  if (text.length > URL_LENGTH_MAX) return `expected at most ${URL_LENGTH_MAX} characters`;
  if (UNPRINTABLE.test(text) || !URL.canParse(text)) return "expected an absolute URL";
  const url = new URL(text);
  if (url.protocol === "http:" && !allowPrivate)
    return "expected an https URL: POINTKEEPER_ALLOW_PRIVATE_CALLBACKS=1 allows http";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected an https URL";
  if (url.username !== "" || url.password !== "") return "expected a URL without credentials";
  if (!allowPrivate && !isPortAllowed(url, ports))
    return "expected port 80, 443 or one from 1024: POINTKEEPER_CALLBACK_PORTS allows others";
  const host = callbackHost(url);
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return PUBLIC_EXPECTED;
  return null;
}

/** The target of a callback's requests; `refusal`: why nothing may be sent there. */
export interface CallbackTarget {
  readonly origin: string;
  /** Includes the query. */
  readonly path: string;
  readonly refusal: string | null;
}

/** Returns the target of a stored callback URL, checked again with the present settings, which may have changed since it was stored. */
export function callbackTarget(
  callbackUrl: string,
  { allowPrivateCallbacks, callbackPorts }: { allowPrivateCallbacks: boolean; callbackPorts: readonly number[] },
): CallbackTarget {
  const refusal = refuseCallbackUrl(callbackUrl, allowPrivateCallbacks, callbackPorts);
  if (refusal !== null) return { origin: "", path: "", refusal };
  const { origin, pathname, search } = new URL(callbackUrl);
  return { origin, path: pathname + search, refusal };
}

function isPortAllowed({ port }: URL, ports: readonly number[]): boolean {
  if (port === "") return true;
  return Number(port) >= FREE_PORTS_FROM || WEB_PORTS.includes(Number(port)) || ports.includes(Number(port));
}

/** Returns the host of a URL as a name or an address, without the brackets of IPv6. */
export function callbackHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR("2000::/3");
// Public by number, but used by clouds for the metadata and agents of their own machines.
const METADATA = [ipaddr.parseCIDR("168.63.129.16/32")];

/**
 * Whether an IP address is public unicast. Loopback, private, link-local, shared, multicast, reserved and metadata addresses are not. Neither are
 * IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), because they could reach any of these.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv6") return address.match(GLOBAL_UNICAST_V6);
  return !METADATA.some((range) => address.match(range));
}
