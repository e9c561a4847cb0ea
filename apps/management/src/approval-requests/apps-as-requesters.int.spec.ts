import { systemIds } from '@svc/runtime';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';
import {
  addPolicy,
  approve,
  ended,
  newGatedOrganization,
  requestAt,
  waitingIn,
  type GatedOrganization,
} from '../testing/gated-organization';

const PROJECTS = '/api/v1/projects';
const SCOPES = ['projects:write'] as const;

let management: ManagementUnderTest;
let org: GatedOrganization;
/** The request of an app, and the user behind its access token. */
let id: string;
let userId: string;
let appId: string;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());
beforeEach(async () => {
  org = await newGatedOrganization(management);
  await addPolicy(org.ada, { actions: ['project.*'] });
  const app = await management.withAccessToken(org.organization, 'developer', SCOPES);
  id = waitingIn(await app.post(PROJECTS, { name: 'Alpha' }));
  const { requested_by } = (await org.ada.get(requestAt(id))).body;
  ({ user_id: userId, id: appId } = requested_by as { user_id: string; id: string });
  await consent();
});

async function consent(): Promise<void> {
  const { prisma } = management.database;
  const organizationId = org.organization.id;
  const registered = {
    id: appId,
    organizationId,
    name: 'Charts',
    appType: 'public',
    clientId: appId,
    redirectUris: [],
    scopes: [...SCOPES],
  };
  await prisma.oauthApp.upsert({
    where: { id: appId },
    create: registered,
    update: { state: 'active', scopes: [...SCOPES] },
  });
  await prisma.oauthGrant.create({
    data: { id: systemIds('grant'), organizationId, userId, appId, scopes: [...SCOPES] },
  });
}

/** Approves the request, and has it executed only after `meanwhile`. */
async function approvedBut(meanwhile: () => Promise<unknown>) {
  const held = async (change: string) =>
    management.database.pool.query(`UPDATE approval_requests SET route = ${change} WHERE id = $1`, [id]);
  await held(`'held ' || route`);
  expect((await approve(org.bob, id)).body.state).toBe('approved');
  await meanwhile();
  await held(`substr(route, 6)`);
  return ended(org.ada, id);
}

const madeProjects = () =>
  management.database.prisma.project.count({ where: { organizationId: org.organization.id, name: 'Alpha' } });

it('a change that an app asked for is made as the app, while its grant lives', async () => {
  expect(await approvedBut(() => Promise.resolve())).toMatchObject({ state: 'executed', error: null });
  expect(await madeProjects()).toBe(1);
  const { body } = await org.ada.get('/api/v1/audit-log?action=project.create');
  expect(body.data).toMatchObject([{ actor: { type: 'oauth_app', id: appId }, approval_request_id: id }]);
});

describe('a change that an app asked for fails, and changes nothing, where after its approval', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'the grant is revoked',
      () =>
        management.database.prisma.oauthGrant.updateMany({
          where: { userId },
          data: { state: 'revoked', revokedAt: new Date() },
        }),
      'permission_denied',
    ],
    [
      'the grant loses the scope',
      () =>
        management.database.prisma.oauthGrant.updateMany({
          where: { userId },
          data: { scopes: ['usage:read'] },
        }),
      'insufficient_scope',
    ],
    [
      'the app is revoked',
      () => management.database.prisma.oauthApp.update({ where: { id: appId }, data: { state: 'revoked' } }),
      'permission_denied',
    ],
    [
      'its user’s role is lowered',
      () => management.database.prisma.member.updateMany({ where: { userId }, data: { role: 'viewer' } }),
      'permission_denied',
    ],
    [
      'its user’s membership ends',
      () =>
        management.database.prisma.member.updateMany({
          where: { userId },
          data: { state: 'removed', removedAt: new Date() },
        }),
      'permission_denied',
    ],
  ])('%s', async (_, meanwhile, code) => {
    const request = await approvedBut(meanwhile);
    expect(request).toMatchObject({ state: 'failed', result: null, error: { status: 403, code } });
    expect((request.error as { message: string }).message).not.toBe('');
    expect(await madeProjects()).toBe(0);
  });
});
