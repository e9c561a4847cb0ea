import {
  permissionsOfKey,
  permissionsOfScopes,
  permissions,
  rolePermissions,
  roles,
  scopes,
  type Permission,
} from '@svc/access';
import { inParallel, type OpenApiOperation } from '@svc/testing';
import { type Answered, type Client, type Organization } from '../management-under-test';
import { filled, ofOrganizations, unknownIds, type Surface } from './surface';

/** Calls at once. All of them would wait for connections until some are told to come again. */
const LANES = 8;

/** A caller, with the permissions of its role, scopes or key. */
export interface Column {
  readonly name: string;
  readonly client: Client;
  readonly isKey: boolean;
  readonly isOfProject?: true;
  readonly held: ReadonlySet<Permission>;
  /** The access token's scopes; null for the other credentials. */
  readonly scopes: ReadonlySet<string> | null;
}

/** Each kind of caller that an organization has: sessions first, then keys, then access tokens. */
export async function columnsOf(
  { management }: Surface,
  organization: Organization,
): Promise<readonly Column[]> {
  const sessions = roles.map(async (role): Promise<Column> => ({
    name: `the session of a ${role}`,
    client: await management.withSession(organization, role),
    isKey: false,
    held: rolePermissions[role],
    scopes: null,
  }));
  const keys = permissions.map(async (permission): Promise<Column> => ({
    name: `a key with ${permission} alone`,
    client: await management.withKey(organization, [permission]),
    isKey: true,
    held: new Set([permission]),
    scopes: null,
  }));
  const projectKey = async (): Promise<Column> => ({
    name: 'a key of one project with everything',
    client: await management.withKey(organization, permissions, organization.projectId),
    isKey: true,
    isOfProject: true,
    held: permissionsOfKey(permissions, organization.projectId),
    scopes: null,
  });
  // The permissions that a role leaves of fewer scopes: libs/access/src/rules/scopes/scopes.spec.ts.
  const grants = [
    ...scopes.map((scope) => ({ role: 'owner' as const, granted: [scope] })),
    ...roles.map((role) => ({ role, granted: scopes })),
  ];
  const tokens = grants.map(async ({ role, granted }): Promise<Column> => ({
    name: `an access token of a ${role} for ${granted.join(' ')}`,
    client: await management.withAccessToken(organization, role, granted),
    isKey: false,
    held: permissionsOfScopes(granted, role),
    scopes: new Set(granted),
  }));
  return Promise.all([...sessions, ...keys, projectKey(), ...tokens]);
}

/**
 * Calls every route of an organization, as whoever may, as each session, and as one of so many of the others, each time other ones.
 * @returns how many calls that were, and those that were answered otherwise than promised
 */
export async function askEveryRoute(
  { document }: Surface,
  columns: readonly Column[],
  { organizationId, oneOf }: { readonly organizationId: string; readonly oneOf: number },
) {
  const wrong: string[] = [];
  let asked = 0;
  for (const [nth, operation] of ofOrganizations(document).entries()) {
    const asking = columns.filter(
      (column, at) => refusalOf(operation, column) === null || at < roles.length || (nth + at) % oneOf === 0,
    );
    await inParallel(asking, LANES, async (column) => {
      const answer = await callOf(organizationId, column.client, operation);
      const mistake = mistakeIn(answer, refusalOf(operation, column));
      if (mistake !== null) wrong.push(`${operation.method} ${operation.path} by ${column.name}: ${mistake}`);
    });
    asked += asking.length;
  }
  return { asked, wrong };
}

/** The ids are unknown and no route takes the body, so that a call that passes the guard changes nothing. */
export function callOf(
  organizationId: string,
  client: Client,
  operation: OpenApiOperation,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const body = operation.requestBody === undefined ? undefined : { colour: 'red' };
  const path = filled(operation.path, { ...unknownIds(operation), organization_id: organizationId });
  return client.call(operation.method, path, body, headers);
}

function mistakeIn({ status, body }: Answered, expected: string | null): string | null {
  const actual = status === 403 ? (body as { error: { code: string } }).error.code : null;
  if (actual === expected && status !== 401 && status < 500) return null;
  return `${String(status)} ${String(actual)}, not ${String(expected)}`;
}

/**
 * The code of the promised 403 (docs/reference/authentication-and-permissions.md#refusals); null where the call passes.
 */
function refusalOf(
  operation: OpenApiOperation,
  { held, isKey, isOfProject, scopes: granted }: Column,
): string | null {
  const { 'x-permission': permission, 'x-oauth-scope': scope, security = [] } = operation;
  if (granted !== null && (scope == null || !granted.has(scope))) return 'insufficient_scope';
  if (isKey && !security.some((scheme) => 'apiKey' in scheme)) return 'permission_denied';
  if (isOfProject && OF_ORGANIZATION_ALONE.test(`${operation.method} ${operation.path}`))
    return 'permission_denied';
  return permission != null && !held.has(permission as Permission) ? 'permission_denied' : null;
}

/** A project's key reads the policies of its project and its keys, and not the organization's, nor its rollouts. */
const OF_ORGANIZATION_ALONE =
  /^GET \/api\/v1\/(?:organizations\/\{organization_id\}\/)?(?:policy(?:\/versions(?:\/\{policy_id\})?)?|rollouts(?:\/\{rollout_id\})?)$/;
