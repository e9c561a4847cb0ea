import { type FastifyRequest } from 'fastify';
import { type GatedCall } from '@svc/approvals';
import { type JsonValue } from '@svc/kernel';
import { reasonIn } from './gated-call-of';

/**
 * A call of a route below `/v1` as a call of the management route that makes the same change: once it is approved, that
 * route makes it. Its body must be the same.
 * @param route method and first path of the management route
 * @param headers those that the management route reads
 * @throws GatewayError `invalidRequest` for a reason that is too long.
 */
export const gatedCallAs = (
  route: string,
  http: FastifyRequest,
  headers: Readonly<Record<string, string>>,
): GatedCall => {
  const body = (http.body ?? null) as JsonValue;
  return {
    route,
    method: http.method,
    path: http.url.split('?', 1)[0] ?? '',
    input: { params: {}, query: {}, headers, body },
    shownBody: body,
    reason: reasonIn(http),
  };
};
