import { type FastifyRequest } from 'fastify';
import { GatewayError } from '@svc/kernel';

/**
 * Refuses what another site made a browser send. `Sec-Fetch-Site` decides where there is one; browsers leave it out on
 * plain http. `Origin: null` decides nothing: our own pages send no referrer, and forms on such pages say just that.
 * Programs send neither. So this stands beside the forms' own token, not in its place.
 * @throws GatewayError `permissionDenied`.
 */
export function refuseForeignOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn =
    site === undefined
      ? origin === undefined || origin === 'null' || isOwnOrigin(origin, headers.host, baseUrl)
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new GatewayError('permissionDenied', 'This was sent by a page of another site.');
}

/** The base URL's, or that of the address which the browser itself used: behind a proxy they differ. */
function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(baseUrl).origin || url.host === host);
}
