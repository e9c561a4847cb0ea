import { idPrefixes } from '@svc/kernel';
import { z } from 'zod';
import { APPROVAL_REASON_HEADER } from '../gated-calls/gated-call-of';
import { ORGANIZATION_PARAM } from '../organization-param';
import { type Ids } from '../route';
import { type Operation } from './operations';

const IDENTIFIER = '06dpm2q4x8k3c0v9r7t5w1hzny';

/** The parameters of an operation: in the path, the query and the headers. */
export const parametersOf = (operation: Operation) => ({
  path: z.object(idsIn(operation)),
  query: operation.route.query,
  header: z.object({ ...callerHeaders(operation), ...operation.route.headers.shape }),
});

function idsIn({ path, route }: Operation): Record<string, z.ZodType> {
  const kinds: Ids = { ...route.ids, [ORGANIZATION_PARAM]: 'organization' };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, idOf(kinds[name])]));
}

function idOf(kind: Ids[string] | undefined): z.ZodType {
  if (kind === undefined) return z.string().meta({ example: 'name' });
  if (kind === 'model')
    return z.string().meta({ description: '`<creator>/<model>`.', example: 'acme/small' });
  const prefix = idPrefixes[kind];
  return z.string().meta({ description: `\`${prefix}_…\``, example: `${prefix}_${IDENTIFIER}` });
}

const organization = z
  .string()
  .optional()
  .meta({
    description: 'Selects the organization, for a session of a member of several.',
    example: `${idPrefixes.organization}_${IDENTIFIER}`,
    param: { id: 'organization' },
  });

const csrfToken = z
  .string()
  .optional()
  .meta({
    description: 'The session’s `csrf_token`. Required with the session’s cookie.',
    example: 'KJ0mYyA6kC3l7t0m2lqYb5mD1nQmZzZ9nTDXoQ8pS2E',
    param: { id: 'csrfToken' },
  });

const approvalReason = z
  .string()
  .optional()
  .meta({
    description: 'Why the change is wanted, for those who approve it. At most 500 characters.',
    example: 'The pilot of the sales team starts on Monday.',
    param: { id: 'approvalReason' },
  });

function callerHeaders({ path, route, resource }: Operation): Record<string, z.ZodType> {
  if (resource.isOperators) return {};
  const isRead = route.verb === 'list' || route.verb === 'get';
  const isNamed = path.includes(`{${ORGANIZATION_PARAM}}`) || route.acrossOrganizations === true;
  return {
    ...(isNamed ? {} : { 'Svc-Organization': organization }),
    ...(isRead ? {} : { 'X-CSRF-Token': csrfToken }),
    ...(route.approval === undefined ? {} : { [APPROVAL_REASON_HEADER]: approvalReason }),
  };
}
