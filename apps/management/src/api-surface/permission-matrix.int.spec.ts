import {
  permissionsOfKey,
  permissionsOfScopes,
  permissions,
  rolePermissions,
  roles,
  scopes,
  type Permission,
} from '@svc/access';
import { type OpenApiOperation } from '@svc/testing';
import { type Answered, type Client } from '../testing/management-under-test';
import {
  filled,
  isOperators,
  ofOrganizations,
  openSurface,
  unknownIds,
  type Surface,
} from '../testing/surface/surface';

/** Calls at once. All of them would wait for connections until some are told to come again. */
const LANES = 8;

/** A caller, with the permissions of its role, scopes or key. */
interface Column {
  readonly name: string;
  readonly client: Client;
  readonly isKey: boolean;
  readonly isOfProject?: true;
  readonly held: ReadonlySet<Permission>;
  /** The access token's scopes; null for the other credentials. */
  readonly scopes: ReadonlySet<string> | null;
}

describe('role x permission x route', () => {
  let surface: Surface;
  let columns: Column[];
  let organizationId: string;
  let pristine: number;

  beforeAll(async () => {
    surface = await openSurface();
    const { management } = surface;
    const organization = await management.newOrganization();
    organizationId = organization.id;
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
    // What a role leaves of fewer scopes: libs/access/src/rules/scopes/scopes.spec.ts.
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
    columns = await Promise.all([...sessions, ...keys, projectKey(), ...tokens]);
    pristine = await surface.management.database.prisma.auditEntry.count();
  });
  afterAll(() => surface.close());

  /** The ids are unknown and no route takes the body, so that a call that passes the guard changes nothing. */
  const call = (client: Client, operation: OpenApiOperation, headers: Record<string, string> = {}) => {
    const body = operation.requestBody === undefined ? undefined : { colour: 'red' };
    const path = filled(operation.path, { ...unknownIds(operation), organization_id: organizationId });
    return client.call(operation.method, path, body, headers);
  };

  it('is 403 exactly where the permission is lacking, on every route of the document', async () => {
    const operations = ofOrganizations(surface.document);
    const wrong: string[] = [];
    for (const operation of operations) {
      const waiting = columns.values();
      const answers: { readonly column: Column; readonly answer: Answered }[] = [];
      const lane = async () => {
        for (const column of waiting) answers.push({ column, answer: await call(column.client, operation) });
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      for (const { column, answer } of answers) {
        const expected = refusalOf(operation, column);
        const actual = answer.status === 403 ? (answer.body as { error: { code: string } }).error.code : null;
        if (actual !== expected || answer.status === 401 || answer.status >= 500) {
          wrong.push(
            `${operation.method} ${operation.path} by ${column.name}: ${String(answer.status)} ${String(actual)}, not ${String(expected)}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(operations.length * columns.length).toBeGreaterThan(2000);
  });

  it('lets nobody but the operator onto the operator’s routes, and the operator onto no others', async () => {
    const operator = surface.management.client({
      authorization: `Bearer ${surface.management.platformToken}`,
    });
    const [owner, , , , , key] = columns;
    for (const operation of surface.document.operations.filter(isOperators)) {
      expect([operation.operationId, (await call(operator, operation)).status]).not.toContain(401);
      for (const { client } of [owner!, key!])
        expect([operation.operationId, (await call(client, operation)).status]).toContain(401);
    }
    for (const operation of ofOrganizations(surface.document))
      expect([operation.operationId, (await call(operator, operation)).status]).toContain(401);
  });

  it('refuses a write by cookie without its CSRF token on every route', async () => {
    const [owner] = columns;
    for (const operation of ofOrganizations(surface.document).filter(({ method }) => method !== 'GET')) {
      const { status, body } = await call(owner!.client, operation, { 'x-csrf-token': 'of-another' });
      expect([operation.operationId, status, body.error.param]).toEqual([
        operation.operationId,
        403,
        'X-CSRF-Token',
      ]);
    }
  });

  it('was asked without a trace of it in the organization', async () => {
    expect(await surface.management.database.prisma.auditEntry.count()).toBe(pristine);
  });
});

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
