import { isAddressListed, type AddressList } from './address-list';
import { formatIpAddress, parseIpAddress } from './ip-address';

/**
 * Which proxies are believed (`SVC_TRUSTED_PROXIES`): how many stand before the service, whoever connects; or by their
 * addresses.
 */
export type TrustedProxies = number | AddressList;

/** The white space of headers, and no other (RFC 9110 section 5.6.3). */
const AROUND = /^[ \t]+|[ \t]+$/g;

/**
 * The client's address (docs/configuration.md#the-clients-address): the connected peer, or what `X-Forwarded-For` says of
 * whom the believed proxies forward. From the right, it is the first one that is not itself a believed proxy, and the leftmost if all are.
 * @param peer of the connection; empty where it is not known.
 * @param forwardedFor the header's value. Several such headers are one value, joined by commas in their order.
 * @returns the address in its one form. What is no address is returned as it was sent, and is in no list.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string {
  if (forwardedFor === undefined || !isTrustedProxy(proxies, peer, 0)) return shown(peer);
  const entries = entriesOf(forwardedFor, proxies);
  let address = peer;
  for (let hop = 1; hop <= entries.length; hop++) {
    address = entries.at(-hop) ?? '';
    if (!isTrustedProxy(proxies, address, hop)) break;
  }
  return shown(address);
}

/** True where a proxy is believed. @param hop 0 of the connected peer, 1 of the rightmost forwarded address, and so on. */
export const isTrustedProxy = (proxies: TrustedProxies, address: string, hop: number): boolean =>
  typeof proxies === 'number' ? hop < proxies : isAddressListed(proxies, address);

/**
 * An empty entry stands for a client that a proxy did not know. Behind listed proxies it is no address. Behind a number of proxies it
 * is passed over, as it always was.
 */
function entriesOf(forwardedFor: string, proxies: TrustedProxies): readonly string[] {
  const entries = forwardedFor.split(',').map((entry) => entry.replace(AROUND, ''));
  if (entries.every((entry) => entry === '')) return [];
  return typeof proxies === 'number' ? entries.filter((entry) => entry !== '') : entries;
}

function shown(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed === null ? address : formatIpAddress(parsed);
}
