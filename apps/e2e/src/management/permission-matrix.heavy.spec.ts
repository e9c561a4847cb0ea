import { type OpenApiOperation } from '@svc/testing';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { AppClient, tokensIn } from '../oauth/app-client';
import { MemberBrowser } from '../oauth/member-browser';
import { registerApp, SCOPES } from '../oauth/oauth-app';
import { KEY_PERMISSIONS, PERMISSIONS, ROLES } from './promised-roles';
import { DocumentedCalls } from './documented-calls';
import { hiddenFields } from './hidden-fields';

interface Column {
  readonly name: string;
  readonly kind: 'apiKey' | 'session' | 'accessToken';
  readonly headers: Readonly<Record<string, string>>;
  readonly held: readonly string[];
  readonly scopes: readonly string[];
}

/** Over the whole service. Beside the code, apps/management walks the same routes in one process, in `npm test`. */
describe('role x permission x route, over HTTP alone', () => {
  let svc: SharedSvc;
  let calls: DocumentedCalls;
  let columns: Column[];
  beforeAll(async () => {
    svc = await sharedSvc();
    calls = await DocumentedCalls.of(svc.baseUrl);
    columns = [];
    for (const role of Object.keys(ROLES)) columns.push(await memberOf(role));
    for (const permission of KEY_PERMISSIONS) columns.push(await keyWith(permission));
    columns.push(await appOfTheOwner());
  });

  const owner = () => ({ authorization: `Bearer ${svc.apiKey}` });

  /** Invites a member with the role, and logs in. */
  async function memberOf(role: string): Promise<Column> {
    const login = { email: `the-${role}@example.com`, password: 'a long new password' };
    const invited = await calls.call('createInvitation', {
      headers: owner(),
      body: { email: login.email, role },
    });
    const secret = new URL(invited.body.accept_url as string).pathname.split('/').at(-1) ?? '';
    const accept = { accept: 'text/html' };
    const page = await calls.call('showInvitation', { ids: { secret }, headers: accept });
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const body = new URLSearchParams({ password: login.password, repeated_password: login.password });
    for (const [name, value] of hiddenFields(page.text)) body.append(name, value);
    await calls.call('acceptInvitation', { ids: { secret }, headers: { ...accept, cookie }, body });
    const session = await calls.call('logIn', { body: login });
    const headers = {
      cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      'x-csrf-token': session.body.csrf_token as string,
    };
    return {
      name: `the session of a ${role}`,
      kind: 'session',
      headers,
      held: ROLES[role] ?? [],
      scopes: [],
    };
  }

  async function keyWith(permission: string): Promise<Column> {
    const body = { name: 'Of the matrix', scopes: [permission] };
    const made = await calls.call('createApiKey', { headers: owner(), body });
    const headers = { authorization: `Bearer ${String(made.body.key)}` };
    return { name: `a key with ${permission}`, kind: 'apiKey', headers, held: [permission], scopes: [] };
  }

  async function appOfTheOwner(): Promise<Column> {
    const app = new AppClient(await registerApp(svc, 'public'), svc.baseUrl);
    const code = await app.newCode(await MemberBrowser.loggedIn(svc));
    const { access } = tokensIn(await app.exchange(code, svc.baseUrl));
    const headers = { authorization: `Bearer ${access}` };
    return { name: 'an app of the owner', kind: 'accessToken', headers, held: PERMISSIONS, scopes: SCOPES };
  }

  const judged = () =>
    calls.document.operations.filter((operation) => operation['x-permission'] !== undefined);
  const isOperators = ({ path }: OpenApiOperation) => path.startsWith('/platform/');

  /** Sends an invalid body and the document's ids, which do not exist: an allowed call changes nothing. */
  const ask = async (operation: OpenApiOperation, { headers }: Pick<Column, 'headers'>) => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    const ids = Object.fromEntries(inPath.map(({ name, schema }) => [name, String(schema['example'])]));
    const body = operation.requestBody === undefined ? undefined : { colour: 'red' };
    const answer = await calls.call(operation.operationId, {
      ids: { ...ids, organization_id: svc.organizationId },
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, code: answer.body?.error?.code as string | undefined };
  };

  it('is 403 exactly where the reference says so, and always an answer of the document', async () => {
    const wrong: string[] = [];
    for (const operation of judged().filter((one) => !isOperators(one))) {
      const answers = await Promise.all(
        columns.map(async (column) => ({ column, ...(await ask(operation, column)) })),
      );
      for (const { column, status, code } of answers) {
        const expected = refusalOf(operation, column);
        const actual = status === 403 ? code : null;
        if (actual !== expected) {
          wrong.push(
            `${operation.operationId} by ${column.name}: ${String(status)} ${String(code)}, not ${String(expected)}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(judged().length * columns.length).toBeGreaterThan(3000);
  });

  it('opens the operator’s routes to the operator only', async () => {
    for (const operation of judged().filter(isOperators)) {
      const refused = await Promise.all(columns.map((column) => ask(operation, column)));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
      const headers = { authorization: `Bearer ${svc.platformToken ?? ''}` };
      // The only action without id and body: it would be executed.
      if (operation.operationId === 'rotateSigningKey') continue;
      expect((await ask(operation, { headers })).status).not.toBe(401);
    }
  });
});

/** The code of the 403 for a caller; null when it is allowed. */
function refusalOf({ security = [], ...operation }: OpenApiOperation, column: Column): string | null {
  const { 'x-permission': permission, 'x-oauth-scope': scope } = operation;
  const schemes = security.flatMap(Object.keys);
  if (column.kind === 'accessToken' && (scope == null || !column.scopes.includes(scope)))
    return 'insufficient_scope';
  if (permission != null && !column.held.includes(permission)) return 'permission_denied';
  if (schemes.includes(column.kind)) return null;
  // Of routes for some credentials only, those for access tokens answer that a scope is missing.
  return schemes.includes('accessToken') ? 'insufficient_scope' : 'permission_denied';
}
