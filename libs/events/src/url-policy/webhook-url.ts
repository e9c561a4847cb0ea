import { type AddressPolicy, isAllowedAddress } from './public-address';

const URL_MAX_CHARACTERS = 2_048;
const NAME_MAX_CHARACTERS = 253;
const NAME = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** Names that resolve only within private networks, if at all. Each covers itself and its subdomains. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'home.arpa',
  'lan',
  'svc',
  'cluster.local',
  'onion',
  'test',
  'invalid',
  'example',
];

export interface WebhookUrlPolicy extends AddressPolicy {
  /** The gateway's own hosts in the form of `URL.host`. A delivery to itself would be a loop. */
  readonly ownHosts?: readonly string[];
}

/**
 * Normalises a webhook URL, or returns the problem, worded to follow the field's name
 * (docs/reference/webhooks.md#which-urls-are-taken). The host is checked in the form used to connect: `URL` converts
 * number forms of IPv4 to dotted ones and names to ASCII. An accepted name may still resolve to a private address, so
 * addresses are checked again at connection.
 */
export function readWebhookUrl(
  text: string,
  policy: WebhookUrlPolicy,
): { readonly url: string } | { readonly problem: string } {
  // `URL` drops tabs and line breaks and trims other white space, so people would read another URL than the one called.
  if (/[\u0000-\u0020\u007f]/.test(text)) {
    return { problem: 'must not contain white space or control characters' };
  }
  const url = URL.parse(text);
  if (url === null) return { problem: 'must be an absolute URL' };

  const problem = problemOfScheme(url, policy) ?? problemOfParts(url) ?? problemOfHost(url.hostname, policy);
  if (problem !== null) return { problem };
  url.hostname = withoutRootDot(url.hostname);
  if (policy.ownHosts?.includes(url.host) === true) return { problem: 'must not point to this service' };
  if (url.href.length > URL_MAX_CHARACTERS) {
    return { problem: `must have at most ${String(URL_MAX_CHARACTERS)} characters` };
  }
  // Whoever reads back what they wrote finds it as it was.
  return { url: url.href === `${text}/` ? text : url.href };
}

function problemOfScheme({ protocol }: URL, { allowPrivate }: AddressPolicy): string | null {
  if (protocol === 'https:' || (allowPrivate && protocol === 'http:')) return null;
  return 'must use https';
}

function problemOfParts({ username, password, href, port }: URL): string | null {
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (href.includes('#')) return 'must not have a fragment';
  return port === '0' ? 'must not use port 0' : null;
}

function problemOfHost(hostname: string, policy: AddressPolicy): string | null {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const isAllowed = isAddress
    ? isAllowedAddress(hostname.replace(/^\[|\]$/g, ''), policy)
    : isAllowedName(withoutRootDot(hostname), policy);
  return isAllowed ? null : 'must have a public host';
}

function isAllowedName(name: string, { allowPrivate }: AddressPolicy): boolean {
  if (name.length > NAME_MAX_CHARACTERS || !NAME.test(name)) return false;
  if (allowPrivate) return true;
  return name.includes('.') && !PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

/** `localhost.` means `localhost`, but `URL` keeps the dot. */
const withoutRootDot = (hostname: string): string => hostname.replace(/\.$/, '');
