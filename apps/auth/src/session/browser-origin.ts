import { type FastifyRequest } from 'fastify';
import { GatewayError } from '@svc/kernel';

/**
 * Refuses calls that another site made a browser send. `Sec-Fetch-Site` decides where it is present; browsers omit it
 * on plain http. `Origin: null` decides nothing: our own pages send no referrer, so their forms send it. Programs send
 * neither header. So this check adds to the forms' own token and does not replace it.
 * @throws GatewayError `permissionDenied`.
 */
export function refuseForeignOrigin(call: FastifyRequest, baseUrl: string): void {
  if (isFromProgram(call) || isFromOwnPage(call, baseUrl)) return;
  throw new GatewayError('permissionDenied', 'This was sent by a page of another site.');
}

/**
 * True where no browser sent it. Every browser of today says where a form that it posts to another site comes from, by one of
 * these headers.
 */
export const isFromProgram = ({ headers }: FastifyRequest): boolean =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined;

function isFromOwnPage({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { origin = '', host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === 'null' || isOwnOrigin(origin, host, baseUrl);
}

/** The base URL's origin, or the host that the browser used: behind a proxy they differ. */
function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(baseUrl).origin || url.host === host);
}
