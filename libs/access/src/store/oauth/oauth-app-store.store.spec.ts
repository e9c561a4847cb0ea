import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { secretHash } from '../../rules/secrets/secret';
import { OauthWorld, REDIRECT_URI } from '../../testing/oauth-world';
import { type OauthAppRecord } from './oauth-app-store';

let test: TestDatabase;
let world: OauthWorld;
let organizationId: string;
let app: OauthAppRecord;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  world = new OauthWorld(test.database);
  organizationId = await world.newOrganization();
  app = await world.newApp(organizationId);
});

const newPublicApp = () =>
  world.run((tx) =>
    world.apps.createApp(tx, {
      id: world.newId('oauthApp'),
      organizationId,
      name: 'CLI',
      clientId: `svc_client_${world.newId('oauthApp')}`,
      clientSecretSha256: null,
      redirectUris: ['http://127.0.0.1:3000/cb'],
      scopes: ['openid'],
      homepage: null,
    }),
  );

describe('an app', () => {
  it('is read as it was made, and never with its secret’s hash but as a client', async () => {
    expect(app).toMatchObject({
      organizationId,
      appType: 'confidential',
      hasSecret: true,
      state: 'active',
      redirectUris: [REDIRECT_URI],
      revokedAt: null,
    });
    expect(JSON.stringify(app)).not.toMatch(/sha256/i);
    expect(await world.apps.findApp(organizationId, app.id)).toEqual(app);
    const client = await world.apps.findByClientId(app.clientId);
    expect(client).toMatchObject(app);
    expect(Buffer.from(client!.clientSecretSha256!)).toEqual(secretHash('secret'));
    expect(await world.apps.findByClientId('svc_client_unknown')).toBeNull();
  });

  it('without a secret is public', async () => {
    expect(await newPublicApp()).toMatchObject({ appType: 'public', hasSecret: false });
  });

  it('of another organization is unknown, whatever is tried', async () => {
    const other = await world.newOrganization();
    expect(await world.apps.findApp(other, app.id)).toBeNull();
    const tried = await world.run(async (tx) => [
      await world.apps.lockApp(tx, other, app.id),
      await world.apps.updateApp(tx, other, app.id, { name: 'mine' }),
      await world.apps.rotateSecret(tx, other, app.id, secretHash('mine')),
      await world.apps.revokeApp(tx, other, app.id, world.now),
    ]);
    expect(tried).toEqual([null, null, null, null]);
    expect(await world.apps.findApp(organizationId, app.id)).toEqual(app);
  });

  it('is changed in what was given, and only there', async () => {
    const change = { redirectUris: ['https://app.example/new'], homepage: null };
    const changed = await world.run((tx) => world.apps.updateApp(tx, organizationId, app.id, change));
    expect(changed).toEqual({ ...app, ...change, updatedAt: expect.any(Date) as Date });
  });

  it('has one secret at a time', async () => {
    const rotated = await world.run((tx) =>
      world.apps.rotateSecret(tx, organizationId, app.id, secretHash('new')),
    );
    expect(rotated).toMatchObject({ id: app.id, hasSecret: true });
    const client = await world.apps.findByClientId(app.clientId);
    expect(Buffer.from(client!.clientSecretSha256!)).toEqual(secretHash('new'));
  });

  it('that is public gets no secret', async () => {
    const { id } = await newPublicApp();
    expect(
      await world.run((tx) => world.apps.rotateSecret(tx, organizationId, id, secretHash('x'))),
    ).toBeNull();
  });

  it('is revoked with every grant and token, once, and cannot be changed any more', async () => {
    const grants = await Promise.all(
      [1, 2].map(async () => world.consent(organizationId, await world.newMember(organizationId), app.id)),
    );
    const pairs = [];
    for (const grant of grants) pairs.push(await world.exchange(await world.newCode(grant!), app.id));
    const revoke = () => world.run((tx) => world.apps.revokeApp(tx, organizationId, app.id, world.now));
    expect(await revoke()).toMatchObject({
      wasActive: true,
      app: { state: 'revoked', revokedAt: world.now },
    });
    expect(await revoke()).toMatchObject({ wasActive: false, app: { state: 'revoked' } });
    for (const { issued } of pairs) {
      expect(await world.access(issued!.jti)).toBe('revoked');
      expect(await world.tokens.liveness(issued!.jti)).toMatchObject({
        revokedAt: world.now,
        grantState: 'revoked',
      });
    }
    await world.run(async (tx) => {
      expect(await world.apps.updateApp(tx, organizationId, app.id, { name: 'x' })).toBeNull();
      expect(await world.apps.rotateSecret(tx, organizationId, app.id, secretHash('x'))).toBeNull();
    });
    expect(await world.apps.findApp(organizationId, app.id)).toMatchObject({ state: 'revoked', name: 'App' });
  });
});

describe('apps', () => {
  it('are listed newest first, page by page', async () => {
    const ids = [(await newPublicApp()).id, app.id];
    const first = await world.apps.listApps(organizationId, { limit: 1, before: null });
    expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 1), true]);
    const rest = await world.apps.listApps(organizationId, { limit: 1, before: first.items[0]!.id });
    expect([rest.items.map(({ id }) => id), rest.hasMore]).toEqual([ids.slice(1), false]);
  });
});
