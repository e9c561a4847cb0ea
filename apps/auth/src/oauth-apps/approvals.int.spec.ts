import { ApprovalRequestStore } from '@svc/approvals/store';
import { scopes as allScopes } from '@svc/access';
import { UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createSealer, systemIds } from '@svc/runtime';
import { eventually, type Json } from '@svc/testing';
import { OauthUnderTest, sessionHeaders, type Answered, type TestMember } from '../testing/oauth-under-test';

const APPS = '/api/v1/oauth-apps';
const NEW_APP = {
  name: 'Charts',
  app_type: 'confidential',
  redirect_uris: ['https://app.example/callback?of=app'],
  scopes: [...allScopes],
  homepage: 'https://app.example',
};

let store: TestDatabase;
let oauth: OauthUnderTest;
let owner: TestMember;
let approver: TestMember;
beforeAll(async () => {
  store = await openTestDatabase();
  oauth = await OauthUnderTest.start(store);
});
afterAll(() => oauth.close());
beforeEach(async () => {
  owner = await oauth.newMember();
  approver = await oauth.newMember('security_admin', owner.organizationId);
});

const call = (method: string, path: string, body?: object): Promise<Answered> =>
  oauth.call(method, path, {
    headers: {
      ...sessionHeaders(owner.browser),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function gateApps(): Promise<void> {
  await oauth.prisma.approvalPolicy.create({
    data: {
      id: systemIds('approvalPolicy'),
      organizationId: owner.organizationId,
      name: 'Apps',
      actions: ['oauth_app.*'],
      approverRoles: ['owner', 'security_admin'],
      approverUserIds: [],
      requiredApprovals: 1,
      expiresAfterSeconds: 3_600,
      enabled: true,
    },
  });
}

function waitingIn({ status, body }: Answered): string {
  expect([status, body.error?.code]).toEqual([400, 'approval_required']);
  return body.error.approval_request_id as string;
}

/** Approves the request, as apps/management does, and waits until this process has executed it. */
async function executed(id: string) {
  const requests = new ApprovalRequestStore(store.database);
  const { organizationId } = owner;
  await new UnitOfWork(store.database).transaction(async (tx) => {
    const request = await requests.lockApprovalRequest(tx, organizationId, id);
    const given = { userId: approver.userId, decision: 'approve', comment: null } as const;
    const judgement = await requests.decide(tx, request!, given, Date.now());
    expect(judgement).toEqual({ kind: 'recorded', state: 'approved' });
  });
  await eventually(async () => {
    expect((await requests.findApprovalRequest(organizationId, id))?.state).toBe('executed');
  });
}

/** The answer with the secret, as claiming it opens it. */
async function answerOf(id: string): Promise<Json> {
  const requests = new ApprovalRequestStore(store.database);
  return new UnitOfWork(store.database).transaction(async (tx) => {
    const request = await requests.lockApprovalRequest(tx, owner.organizationId, id);
    return requests.takeAnswer(tx, request!, createSealer(Buffer.alloc(32, 7)));
  });
}

/** Every row of the database and every line that was logged, as text. */
async function everythingKept(): Promise<string> {
  const { rows: tables } = await store.database.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows = tables.map(
    async ({ name }) =>
      (await store.database.pool.query(`SELECT t::text FROM "${name}" t`)).rows as unknown[],
  );
  return JSON.stringify([await Promise.all(rows), oauth.logged]);
}

async function expectNowhere(secret: string): Promise<void> {
  expect(secret).toMatch(/^svc_cs_/);
  const kept = await everythingKept();
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
}

const appsOf = async () => (await call('GET', APPS)).body.data as Json[];

describe('an app whose changes wait for approval', () => {
  it('is registered once approved, and its secret is kept sealed', async () => {
    await gateApps();
    const id = waitingIn(await call('POST', APPS, NEW_APP));
    expect(await appsOf()).toEqual([]);
    await executed(id);
    const [app] = await appsOf();
    expect(app).toMatchObject({ name: 'Charts', has_secret: true });
    const answer = await answerOf(id);
    expect(answer.app).toEqual(app);
    await expectNowhere(answer.client_secret as string);
    const registered = { id: answer.app.id, clientId: answer.app.client_id, secret: answer.client_secret };
    expect((await oauth.tokensFor(registered, await oauth.newMember())).access).not.toBe('');
  });

  it('keeps its secret until the rotation is approved', async () => {
    const { body } = await call('POST', APPS, NEW_APP);
    const before = { id: body.app.id, clientId: body.app.client_id, secret: body.client_secret };
    const tokens = await oauth.tokensFor(before, await oauth.newMember());
    await gateApps();
    const id = waitingIn(await call('POST', `${APPS}/${before.id as string}/rotate-secret`));
    const refreshed = await oauth.refresh(before, tokens.refresh);
    expect(refreshed.status).toBe(200);
    await executed(id);
    const { client_secret: secret } = await answerOf(id);
    await expectNowhere(secret as string);
    const refresh = refreshed.body.refresh_token as string;
    expect((await oauth.refresh(before, refresh)).body.error.code).toBe('invalid_client');
    expect((await oauth.refresh({ ...before, secret: secret as string }, refresh)).status).toBe(200);
  });

  it('is changed once approved, as its requester', async () => {
    const { id: appId } = (await call('POST', APPS, NEW_APP)).body.app as { id: string };
    await gateApps();
    const id = waitingIn(await call('PATCH', `${APPS}/${appId}`, { name: 'Graphs' }));
    expect(await appsOf()).toMatchObject([{ name: 'Charts' }]);
    await executed(id);
    expect(await appsOf()).toMatchObject([{ name: 'Graphs' }]);
    const where = { targetId: appId, action: 'oauth_app.update' };
    expect(await oauth.prisma.auditEntry.findMany({ where })).toMatchObject([
      { actorType: 'user', actorId: owner.userId, approvalRequestId: id },
    ]);
  });

  it('is revoked at once: that only takes power away', async () => {
    const { id } = (await call('POST', APPS, NEW_APP)).body.app as { id: string };
    await gateApps();
    expect((await call('DELETE', `${APPS}/${id}`)).status).toBe(204);
  });
});
