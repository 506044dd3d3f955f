import ipaddr from "ipaddr.js";

const IPV6_NETWORK_PARTS = 4;

/**
 * What failures of an address are counted by: an IPv4 address itself, also one that is mapped into IPv6; of an IPv6 address the /64, all
 * of which one host may call its own. What is no address is itself.
 */
export function addressKey(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!("parts" in address)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
