import ipaddr from "ipaddr.js";

const IPV6_NETWORK_PARTS = 4;

/**
 * Returns the key by which failures of an address are counted: an IPv4 address itself, even if it is mapped into IPv6; for an IPv6 address its /64,
 * which one host may own completely. A text that is not an address is its own key.
 */
export function addressKey(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!("parts" in address)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
