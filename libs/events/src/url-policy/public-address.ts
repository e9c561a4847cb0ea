import ipaddr from 'ipaddr.js';

/** Everything in 0.0.0.0/0 that is not a public host (IANA special-purpose registry), and one that only looks so. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's wire server: metadata and credentials of the machine, on a public address.
  '168.63.129.16/32',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * Public IPv6 is within 2000::/3, so that mapped, compatible, translated (NAT64) and tunnelled (ISATAP) forms of IPv4
 * addresses fall by themselves. Within it, Teredo, ORCHID, documentation, 6to4 and AS112 are refused.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
);

/** Names of `ipaddr.js` for what `SVC_WEBHOOK_ALLOW_PRIVATE` opens; metadata addresses are not among them. */
const PRIVATE_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal'];

export interface AddressPolicy {
  /** Also private and loopback addresses: `SVC_WEBHOOK_ALLOW_PRIVATE` (contract.md section 1). */
  readonly allowPrivate: boolean;
}

/** Whether an IP address, as a resolver or a socket writes it, is a public unicast host. A text that is none is not. */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const ipv4 = ipaddr.IPv4.parse(address);
    return !REFUSED_IPV4.some((range) => ipv4.match(range));
  }
  if (!isIPv6(address)) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.match(GLOBAL_UNICAST) && !REFUSED_IPV6.some((range) => ipv6.match(range));
}

/** Whether a delivery may be sent to the address: every resolved one and the connected peer are asked. */
export function isAllowedAddress(address: string, { allowPrivate }: AddressPolicy): boolean {
  if (isPublicAddress(address)) return true;
  if (!allowPrivate || !(ipaddr.IPv4.isValidFourPartDecimal(address) || isIPv6(address))) return false;
  return PRIVATE_RANGES.includes(ipaddr.process(address).range());
}

/** A zone (`fe80::1%eth0`) names an interface of this machine. */
const isIPv6 = (address: string): boolean => ipaddr.IPv6.isValid(address) && !address.includes('%');
