import ipaddr from "ipaddr.js";

const IPV6_NETWORK_PARTS = 4;
/** Some proxies write the port of the client behind the address; it is another one for each connection. */
const WITH_PORT = /^(?:\[([^\]]{1,60})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/;
/** A key is stored, and an index has no room for whatever a proxy that is not the store's passes on. */
const LENGTH_MAX = 64;

/**
 * Returns the key by which failures of an address are counted: an IPv4 address itself, even if it is mapped into IPv6; for an IPv6 address its /64,
 * which one host may own completely. A port behind the address does not count. A text that is not an address is its own key, shortened.
 */
export function addressKey(text: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const plain = inBrackets ?? beforePort ?? text;
  if (!ipaddr.isValid(plain)) return text.slice(0, LENGTH_MAX).toWellFormed();
  const address = ipaddr.process(plain);
  if (!("parts" in address)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

/** Returns the address of a request as it is stored and shown: what a proxy passes on may be of any length. */
export function addressOf({ ip }: { readonly ip: string }): string {
  return ip.slice(0, LENGTH_MAX).toWellFormed();
}
