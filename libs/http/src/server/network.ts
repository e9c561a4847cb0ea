import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_PARTS = 4;

/** The holder of one IPv6 address has its whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_NETWORK_PARTS);
  return `${parts.map((part) => part.toString(16)).join(':')}::`;
}
