const LENGTH_MAX = 2_000;
/** Every character of RFC 3986 but `#`, which begins a fragment, and `*`, which promises a wildcard that there is none of. */
const CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/;
/** The hosts of RFC 8252 section 7.3 as they are written, because `http://2130706433/` is a loopback address too. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/;
/** A host, and no user that would pass for one. */
const AUTHORITY = /^https?:\/\/[^/?@]+(?:[/?]|$)/;
/** What we append: a URI that has one of its own would say two things. */
const OURS = ['code', 'state', 'error', 'error_description', 'iss'];

/**
 * Whether an app may register this redirect URI: absolute, `https` or `http` on a loopback host, without fragment,
 * user or parameters that we append (interface.md, OAuth app; RFC 6749 section 3.1.2). Later it is compared byte for byte.
 */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || !CHARACTERS.test(text)) return false;
  if (!text.startsWith('https://') && !LOOPBACK.test(text)) return false;
  const uri = URL.parse(text);
  if (uri === null || !AUTHORITY.test(text)) return false;
  return !OURS.some((name) => uri.searchParams.has(name));
}

/** An app's homepage, shown as a link: `https`, or `http` on a loopback host, without a user that would pass for a host. */
export function isAllowedHomepage(text: string): boolean {
  const url = URL.parse(text);
  return (
    text.length <= LENGTH_MAX &&
    /^https?:\/\/[^\s\\]+$/.test(text) &&
    (text.startsWith('https://') || LOOPBACK.test(text)) &&
    url !== null &&
    url.username === '' &&
    url.password === ''
  );
}

/**
 * A registered URI with our parameters after its own, as it was registered otherwise (RFC 6749 section 3.1.2).
 * Parameters that are null are left out.
 */
export function redirectWith(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const ours = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) ours.set(name, value);
  const query = ours.toString();
  if (query === '') return uri;
  const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + joint + query;
}
