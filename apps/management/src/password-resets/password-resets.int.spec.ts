import { secretHash } from '@svc/access';
import { PasswordStore } from '@svc/access/store';
import { FakeClock } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const RESETS = '/platform/v1/password-resets';
const HOUR_MS = 3_600_000;

describe('a password reset by the operator', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  const clock = new FakeClock();
  beforeAll(async () => {
    management = await startManagement({ clock });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  afterAll(() => management.close());

  const find = (resetUrl: string) => {
    const secret = resetUrl.slice(resetUrl.lastIndexOf('/') + 1);
    return new PasswordStore(management.database).findReset(secretHash(secret), clock.now());
  };

  it('is a link for an hour, which is told in the audit log of every organization of the user', async () => {
    const organization = await management.newOrganization();
    const { userId, memberId } = await management.withSession(organization, 'developer');
    const email = `${userId}@example.com`;

    const { status, body } = await operator.post(RESETS, { email: email.toUpperCase() });

    expect(status).toBe(201);
    expect(body).toEqual({
      reset_url: expect.stringMatching(/^https:\/\/svc\.example\/auth\/password-reset\/svc_pr_[\w-]{43}$/),
      expires_at: new Date(clock.now() + HOUR_MS).toISOString(),
    });
    expect(await find(body.reset_url)).toEqual({ email });
    const entries = await management.database.prisma.auditEntry.findMany({ where: { targetId: memberId } });
    expect(entries).toMatchObject([
      {
        organizationId: organization.id,
        actorType: 'operator',
        action: 'member.issue_password_reset',
        changes: {},
      },
    ]);

    const { body: newer } = await operator.post(RESETS, { email });
    expect(await find(body.reset_url)).toBeNull();
    expect(await find(newer.reset_url)).toEqual({ email });
  });

  it('of an address that nobody has is 404', async () => {
    expect(await operator.post(RESETS, { email: 'nobody@example.com' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', param: 'email' } },
    });
  });

  it('is made by nobody else', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const email = `${owner.userId}@example.com`;
    expect((await owner.post(RESETS, { email })).status).toBe(401);
    const key = await management.withKey(organization);
    expect((await key.post(RESETS, { email })).status).toBe(401);
  });
});
