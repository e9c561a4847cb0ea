import { type FastifyRequest } from 'fastify';
import { type CallInput, type GatedCall } from '@svc/approvals';
import { z } from 'zod';
import { line } from '../fields';
import { type DeclaredResource } from '../resource';
import { type DeclaredRoute } from '../route';
import { validated } from '../validation';
import { headerText } from './header-text';
import { withoutSecrets } from './without-secrets';

export const APPROVAL_REASON_HEADER = 'Svc-Approval-Reason';
const REASON_MAX = 500;

const headers = z.object({ [APPROVAL_REASON_HEADER]: line(REASON_MAX).optional() });

/**
 * The call as it is stored when it has to wait.
 * @throws GatewayError `invalidRequest` for a reason that is too long.
 */
export function gatedCallOf(
  resource: DeclaredResource,
  route: DeclaredRoute,
  http: FastifyRequest,
  input: CallInput,
): GatedCall {
  return {
    route: routeNameOf(resource, route, http.method),
    method: http.method,
    path: http.url.split('?', 1)[0] ?? '',
    input,
    shownBody: route.body === null ? null : withoutSecrets(route.body, input.body),
    reason: reasonIn(http),
  };
}

/** Why the requester wants it. @throws GatewayError `invalidRequest` for one that is too long. */
export function reasonIn(http: FastifyRequest): string | null {
  const header = http.headers[APPROVAL_REASON_HEADER.toLowerCase()];
  const given = { [APPROVAL_REASON_HEADER]: typeof header === 'string' ? headerText(header) : header };
  return validated(headers, given)[APPROVAL_REASON_HEADER] ?? null;
}

/** The same for both path forms, and in every release that serves the route. */
export const routeNameOf = ({ paths }: DeclaredResource, { path }: DeclaredRoute, method: string): string =>
  `${method} /${[paths[0], path].filter(Boolean).join('/')}`;
