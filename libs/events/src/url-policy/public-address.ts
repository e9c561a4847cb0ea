import ipaddr from 'ipaddr.js';

/** All IPv4 ranges without public hosts (IANA special-purpose registry), and one address that only seems public. */
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
  // Azure's wire server: it serves metadata and credentials of the machine on a public address.
  '168.63.129.16/32',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * Public IPv6 addresses are within 2000::/3, which excludes mapped, compatible, translated (NAT64) and tunnelled
 * (ISATAP) forms of IPv4 addresses. Within it, Teredo, ORCHID, documentation, 6to4 and AS112 are refused.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
);

/**
 * The ranges that `SVC_WEBHOOK_ALLOW_PRIVATE` allows, by their names in `ipaddr.js`. Metadata addresses are not among
 * them.
 */
const PRIVATE_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal'];

export interface AddressPolicy {
  /**
   * True where private and loopback addresses are allowed: `SVC_WEBHOOK_ALLOW_PRIVATE`
   * (docs/reference/webhooks.md#which-urls-are-taken).
   */
  readonly allowPrivate: boolean;
}

/** True where an IP address, in the form of a resolver or a socket, is a public unicast host. False for any other text. */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const ipv4 = ipaddr.IPv4.parse(address);
    return !REFUSED_IPV4.some((range) => ipv4.match(range));
  }
  if (!isIPv6(address)) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.match(GLOBAL_UNICAST) && !REFUSED_IPV6.some((range) => ipv6.match(range));
}

/** True where a delivery may be sent to the address. Check every resolved address and the connected peer. */
export function isAllowedAddress(address: string, { allowPrivate }: AddressPolicy): boolean {
  if (isPublicAddress(address)) return true;
  if (!allowPrivate || !(ipaddr.IPv4.isValidFourPartDecimal(address) || isIPv6(address))) return false;
  return PRIVATE_RANGES.includes(ipaddr.process(address).range());
}

/** Without a zone (`fe80::1%eth0`), which names an interface of this machine. */
const isIPv6 = (address: string): boolean => ipaddr.IPv6.isValid(address) && !address.includes('%');
