import { scopes as allScopes, type Role } from '@svc/access';
import { systemIds } from '@svc/runtime';
import {
  OauthUnderTest,
  sessionHeaders,
  tokensIn,
  type Answered,
  type TestMember,
} from '../testing/oauth-under-test';

const APPS = '/api/v1/oauth-apps';
const NEW_APP = {
  name: 'Charts',
  app_type: 'confidential',
  redirect_uris: ['https://app.example/callback?of=app'],
  scopes: [...allScopes],
  homepage: 'https://app.example',
};

let oauth: OauthUnderTest;
let owner: TestMember;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
});
beforeEach(async () => {
  owner = await oauth.newMember();
});
afterAll(() => oauth.close());

const call = (method: string, path: string, body?: unknown, by: TestMember = owner): Promise<Answered> =>
  oauth.call(method, path, {
    headers: {
      ...sessionHeaders(by.browser),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const register = (changes: object = {}, by: TestMember = owner) =>
  call('POST', APPS, { ...NEW_APP, ...changes }, by);
const auditOf = async (targetId: string) =>
  (await oauth.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { id: 'asc' } })).map(
    ({ action, changes }) => ({ action, changes }),
  );

describe('an organization', () => {
  it('has 1,000 active apps at most, also of many registered at once; a revoked one makes room', async () => {
    const app = (state: 'active' | 'revoked') => () => ({
      id: systemIds('oauthApp'),
      organizationId: owner.organizationId,
      name: 'A',
      appType: 'public' as const,
      clientId: systemIds('oauthApp'),
      redirectUris: [],
      scopes: [],
      state,
      ...(state === 'revoked' && { revokedAt: new Date() }),
    });
    const data = [
      ...Array.from({ length: 999 }, app('active')),
      ...Array.from({ length: 5 }, app('revoked')),
    ];
    await oauth.prisma.oauthApp.createMany({ data });
    const answers = await Promise.all(Array.from({ length: 20 }, () => register()));
    const registered = answers.filter(({ status }) => status === 201);
    expect(registered).toHaveLength(1);
    const refused = answers.filter(({ body }) => body.error?.code === 'conflict');
    expect(refused.map(({ status }) => status)).toEqual(Array(19).fill(409));
    expect((await call('DELETE', `${APPS}/${registered[0]!.body.app.id}`)).status).toBe(204);
    expect((await register()).status).toBe(201);
  });
});

describe('an app', () => {
  it('is registered, with its secret this once', async () => {
    const { status, body } = await register();
    expect(status).toBe(201);
    expect(body).toEqual({
      app: {
        id: expect.stringMatching(/^oapp_/),
        organization_id: owner.organizationId,
        name: 'Charts',
        app_type: 'confidential',
        client_id: expect.stringMatching(/^svc_client_[\w-]{43}$/),
        has_secret: true,
        state: 'active',
        redirect_uris: NEW_APP.redirect_uris,
        scopes: NEW_APP.scopes,
        homepage: 'https://app.example',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        revoked_at: null,
      },
      client_secret: expect.stringMatching(/^svc_cs_[\w-]{43}$/),
    });
    const { id, client_id } = body.app;
    expect((await call('GET', `${APPS}/${id}`)).body).toEqual(body.app);
    expect((await call('GET', `/api/v1/organizations/${owner.organizationId}/oauth-apps`)).body).toEqual({
      data: [body.app],
      has_more: false,
      next_cursor: null,
    });
    expect(await auditOf(id)).toEqual([
      {
        action: 'oauth_app.create',
        changes: {
          name: { to: 'Charts' },
          app_type: { to: 'confidential' },
          client_id: { to: client_id },
          redirect_uris: { to: NEW_APP.redirect_uris },
          scopes: { to: NEW_APP.scopes },
          homepage: { to: 'https://app.example' },
        },
      },
    ]);
  });

  it('that is public has no secret, and may have no homepage', async () => {
    const { homepage: _, ...withoutHomepage } = NEW_APP;
    const { status, body } = await call('POST', APPS, { ...withoutHomepage, app_type: 'public' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ client_secret: null, app: { has_secret: false, homepage: null } });
  });

  it('serves members of any organization', async () => {
    const { body } = await register();
    const app = { id: body.app.id, clientId: body.app.client_id, secret: body.client_secret };
    const stranger = await oauth.newMember();
    const answer = await oauth.exchange(app, await oauth.newCode(app, stranger));
    expect(answer.body.organization_id).toBe(stranger.organizationId);
  });

  it.each<[string, object, string]>([
    ['10 http elsewhere', { redirect_uris: ['http://app.example/cb'] }, 'redirect_uris[0]'],
    ['10 a script', { redirect_uris: ['https://a.example', 'javascript:alert(1)'] }, 'redirect_uris[1]'],
    ['10 data', { redirect_uris: ['data:text/html,x'] }, 'redirect_uris[0]'],
    ['10 a scheme of its own', { redirect_uris: ['myapp://cb'] }, 'redirect_uris[0]'],
    ['10 a wildcard', { redirect_uris: ['https://*.example/cb'] }, 'redirect_uris[0]'],
    ['10 a relative one', { redirect_uris: ['/cb'] }, 'redirect_uris[0]'],
    ['4 a fragment', { redirect_uris: ['https://app.example/cb#frag'] }, 'redirect_uris[0]'],
    ['5 a user', { redirect_uris: ['https://app.example@evil.test/'] }, 'redirect_uris[0]'],
    ['12 a code of its own', { redirect_uris: ['https://app.example/cb?code=x'] }, 'redirect_uris[0]'],
    ['12 a state of its own', { redirect_uris: ['https://app.example/cb?state=x'] }, 'redirect_uris[0]'],
    ['no redirect URI', { redirect_uris: [] }, 'redirect_uris'],
    [
      '21 redirect URIs',
      { redirect_uris: Array.from({ length: 21 }, (_, at) => `https://a.example/${String(at)}`) },
      'redirect_uris',
    ],
    ['an unknown scope', { scopes: ['openid', 'inference:invoke'] }, 'scopes[1]'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a homepage that is a script', { homepage: 'javascript:alert(1)' }, 'homepage'],
    ['a homepage by http', { homepage: 'http://app.example' }, 'homepage'],
    ['another type', { app_type: 'native' }, 'app_type'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a secret of its own', { client_secret: 'svc_cs_x' }, 'client_secret'],
  ])('with %s is refused, and the field named', async (_, changes, param) => {
    expect(await register(changes)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it('may name loopback hosts, and the same thing twice counts once', async () => {
    const redirect_uris = ['http://127.0.0.1:8123/cb', 'http://localhost/cb', 'http://127.0.0.1:8123/cb'];
    const { body } = await register({ redirect_uris, scopes: ['email', 'openid', 'email'] });
    expect(body.app).toMatchObject({ redirect_uris: redirect_uris.slice(0, 2), scopes: ['email', 'openid'] });
  });

  it('is changed field by field, and two changes at once lose nothing', async () => {
    const { id } = (await register()).body.app;
    await Promise.all([
      call('PATCH', `${APPS}/${id}`, { name: 'Graphs' }),
      call('PATCH', `${APPS}/${id}`, { scopes: ['openid'], homepage: null }),
    ]);
    expect((await call('GET', `${APPS}/${id}`)).body).toMatchObject({
      name: 'Graphs',
      scopes: ['openid'],
      homepage: null,
      redirect_uris: NEW_APP.redirect_uris,
    });
    expect((await auditOf(id)).slice(1)).toEqual(
      expect.arrayContaining([
        { action: 'oauth_app.update', changes: { name: { from: 'Charts', to: 'Graphs' } } },
        {
          action: 'oauth_app.update',
          changes: {
            scopes: { from: NEW_APP.scopes, to: ['openid'] },
            homepage: { from: 'https://app.example', to: null },
          },
        },
      ]),
    );
  });

  it('is not changed by nothing, and never changes its type', async () => {
    const { app } = (await register()).body;
    for (const body of [{}, { name: 'Charts', scopes: app.scopes }]) {
      expect((await call('PATCH', `${APPS}/${app.id}`, body)).body).toEqual(app);
    }
    expect(await auditOf(app.id)).toHaveLength(1);
    expect(await call('PATCH', `${APPS}/${app.id}`, { app_type: 'public' })).toMatchObject({
      status: 400,
      body: { error: { param: 'app_type' } },
    });
    expect((await call('PATCH', `${APPS}/${app.id}`, { redirect_uris: ['http://evil.test'] })).status).toBe(
      400,
    );
  });

  it('50 loses its old secret at once when it gets a new one, and keeps its tokens', async () => {
    const member = await oauth.newMember();
    const { body } = await register();
    const before = { id: body.app.id, clientId: body.app.client_id, secret: body.client_secret };
    const tokens = await oauth.tokensFor(before, member);
    const rotated = await call('POST', `${APPS}/${before.id}/rotate-secret`);
    expect(rotated).toMatchObject({
      status: 200,
      body: { client_secret: expect.stringMatching(/^svc_cs_/) },
    });
    expect(await oauth.refresh(before, tokens.refresh)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_client' } },
    });
    const after = { ...before, secret: rotated.body.client_secret as string };
    expect(tokensIn(await oauth.refresh(after, tokens.refresh)).scope).toBe(tokens.scope);
    expect((await auditOf(before.id)).at(-1)).toEqual({ action: 'oauth_app.rotate_secret', changes: {} });
  });

  it('that is public has no secret to rotate', async () => {
    const { id } = (await register({ app_type: 'public' })).body.app;
    expect(await call('POST', `${APPS}/${id}/rotate-secret`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
  });

  it('that is revoked stays readable, and is not changed any more', async () => {
    const { id } = (await register()).body.app;
    for (let time = 0; time < 2; time++) expect((await call('DELETE', `${APPS}/${id}`)).status).toBe(204);
    expect((await call('GET', `${APPS}/${id}`)).body).toMatchObject({
      state: 'revoked',
      revoked_at: expect.stringMatching(/Z$/),
    });
    expect((await call('PATCH', `${APPS}/${id}`, { name: 'Graphs' })).status).toBe(409);
    expect((await call('POST', `${APPS}/${id}/rotate-secret`)).status).toBe(409);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['oauth_app.create', 'oauth_app.revoke']);
  });

  it('of another organization is not found, whatever is asked of it', async () => {
    const { id } = (await register()).body.app;
    const stranger = await oauth.newMember();
    const answers = [
      await call('GET', `${APPS}/${id}`, undefined, stranger),
      await call('PATCH', `${APPS}/${id}`, { name: 'Mine' }, stranger),
      await call('POST', `${APPS}/${id}/rotate-secret`, undefined, stranger),
      await call('DELETE', `${APPS}/${id}`, undefined, stranger),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.message]).toEqual([404, 'There is no such resource.']);
    }
    expect((await call('GET', APPS, undefined, stranger)).body.data).toEqual([]);
    expect((await call('GET', `${APPS}/${id}`)).body.state).toBe('active');
  });

  it.each<[Role, number, number]>([
    ['security_admin', 200, 201],
    ['developer', 200, 201],
    ['viewer', 200, 403],
    ['finance', 403, 403],
  ])('is listed and registered by a %s as the role allows', async (role, listed, registered) => {
    const by = await oauth.newMember(role, owner.organizationId);
    expect((await call('GET', APPS, undefined, by)).status).toBe(listed);
    expect((await register({}, by)).status).toBe(registered);
  });

  it('90 shows its secret nowhere else: no answer, log line, audit entry or row has it', async () => {
    const { body } = await register();
    const { id } = body.app;
    const rotated = (await call('POST', `${APPS}/${id}/rotate-secret`)).body.client_secret as string;
    const shown = [
      await call('GET', APPS),
      await call('GET', `${APPS}/${id}`),
      await call('PATCH', `${APPS}/${id}`, { name: 'Graphs' }),
    ];
    const rows = [];
    for (const table of ['oauth_apps', 'audit_entries', 'outbox_events']) {
      rows.push(await oauth.prisma.$queryRawUnsafe(`SELECT t::text FROM ${table} t`));
    }
    const everything = JSON.stringify([shown.map((each) => each.body as unknown), rows, oauth.logged]);
    for (const secret of [body.client_secret as string, rotated]) expect(everything).not.toContain(secret);
    expect(everything).toContain(id);
  });
});
