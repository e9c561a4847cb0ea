const LENGTH_MAX = 2_000;
/** Every character of RFC 3986 except `#`, which begins a fragment, and `*`, because wildcards are not supported. */
const CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/;
/**
 * The hosts of RFC 8252 section 7.3 in exactly this spelling, because `http://2130706433/` is a loopback address too.
 */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/;
/** A host without user information, which could be mistaken for the host. */
const AUTHORITY = /^https?:\/\/[^/?@]+(?:[/?]|$)/;
/** The appended parameters. A URI must not have them itself, or they would be repeated. */
const APPENDED_PARAMETERS = ['code', 'state', 'error', 'error_description', 'iss'];

/**
 * True where an app may register this redirect URI: absolute, `https` or `http` on a loopback host, without fragment, user
 * or appended parameters (docs/reference/oauth.md#redirect-uris; RFC 6749 section 3.1.2). Later it is compared byte for
 * byte.
 */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || !CHARACTERS.test(text)) return false;
  if (!text.startsWith('https://') && !LOOPBACK.test(text)) return false;
  const uri = URL.parse(text);
  if (uri === null || !AUTHORITY.test(text)) return false;
  return !APPENDED_PARAMETERS.some((name) => uri.searchParams.has(name));
}

/** An app's homepage, shown as a link: `https`, or `http` on a loopback host, without user information. */
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
 * A registered URI with parameters appended to its own, otherwise unchanged (RFC 6749 section 3.1.2). Null parameters
 * are left out.
 */
export function redirectWith(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const appended = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) appended.set(name, value);
  const query = appended.toString();
  if (query === '') return uri;
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + separator + query;
}
