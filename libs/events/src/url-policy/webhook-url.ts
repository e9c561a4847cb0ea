import { type AddressPolicy, isAllowedAddress } from './public-address';

const URL_MAX_CHARACTERS = 2_048;
const NAME_MAX_CHARACTERS = 253;
const NAME = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** Names that resolve, if at all, within somebody's own network. Each stands for itself and all below it. */
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
  /** The gateway's own hosts, each as `URL.host` writes it: a delivery to itself would be a loop. */
  readonly ownHosts?: readonly string[];
}

/**
 * A webhook URL in its normal form, or what is wrong with it, worded to follow the field's name (interface.md,
 * `url_not_allowed`; contract.md section 8). The host is judged as it will be connected to: `URL` has turned number
 * forms of IPv4 into dotted ones and names into ASCII. A name that passes may still resolve to a private address,
 * which is for the moment of connection to find.
 */
export function readWebhookUrl(
  text: string,
  policy: WebhookUrlPolicy,
): { readonly url: string } | { readonly problem: string } {
  // `URL` would drop tabs and line breaks and trim the rest: what people read would not be what is called.
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
  return { url: url.href };
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

/** `localhost.` is `localhost`; `URL` leaves the dot. */
const withoutRootDot = (hostname: string): string => hostname.replace(/\.$/, '');
