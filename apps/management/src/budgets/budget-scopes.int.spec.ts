import { nanos } from '@svc/kernel';
import { LedgerStore, WalletStore } from '@svc/ledger/store';
import { holdOf } from '@svc/ledger/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

let management: ManagementUnderTest;
let ledger: LedgerStore;
let organization: Organization;
let caller: Client;
beforeAll(async () => {
  management = await startManagement();
  ledger = new LedgerStore(management.database);
});
afterAll(() => management.close());
beforeEach(async () => {
  organization = await management.newOrganization();
  await new WalletStore(management.database).credit(organization.id, nanos(1_000_000), 'spec');
  caller = await management.withKey(organization);
});

const NEW = { name: 'Each', period: 'week', amount_nanos: 1_000, action: 'block' };
const make = (fields: object) => caller.post('/api/v1/budgets', { ...NEW, ...fields });

const hold = (endUserId: string | null, model = 'acme/small') => {
  const endUser = endUserId === null ? null : { id: endUserId, name: null, namedPerDayMax: 10 };
  return ledger.openHold(holdOf(organization.id, 600, { model, endUser }));
};

describe('a budget of another scope', () => {
  it('names a member, a model or an end user, or gives each an amount, in one project or all', async () => {
    const { projectId } = organization;
    const member = await management.database.prisma.member.findFirst({
      where: { organizationId: organization.id },
    });
    for (const fields of [
      ...(member === null ? [] : [{ scope: 'member', scope_id: member.id }]),
      { scope: 'model', scope_id: 'acme/next', project_id: projectId },
      { scope: 'end_user', scope_id: '*', project_id: projectId },
      { scope: 'project', scope_id: '*', period: 'quarter' },
      { scope: 'api_key', scope_id: '*', period: 'session' },
    ]) {
      const made = await make(fields);
      expect([made.status, made.body]).toEqual([201, expect.objectContaining(fields)]);
      expect(made.body.spent_nanos).toBe('scope_id' in fields && fields.scope_id === '*' ? null : 0);
    }
  });

  it('names an end user by the name or the id, and shows the id', async () => {
    const named = await make({ scope: 'end_user', scope_id: 'ana@example.com' });
    expect(named.body.scope_id).toMatch(/^eu_[0-9a-hjkmnp-tv-z]{26}$/);
    const again = await make({ scope: 'end_user', scope_id: named.body.scope_id });
    expect(again.body.scope_id).toBe(named.body.scope_id);
    const other = await make({ scope: 'end_user', scope_id: 'ben@example.com' });
    expect(other.body.scope_id).not.toBe(named.body.scope_id);
    const found = await caller.get('/api/v1/budgets?scope=end_user&scope_id=ana@example.com');
    expect(found.body.data).toHaveLength(2);
  });

  it.each([
    [{ scope: 'organization', scope_id: '*' }, 'scope_id'],
    [{ scope: 'member' }, 'scope_id'],
    [{ scope: 'member', scope_id: 'mem_06dpm2q4x8k3c0v9r7t5w1hzny' }, 'scope_id'],
    [{ scope: 'model', scope_id: 'small' }, 'scope_id'],
    [{ scope: 'end_user', scope_id: 'a\nb' }, 'scope_id'],
    [{ scope: 'end_user', scope_id: '*', project_id: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' }, 'project_id'],
    [{ scope: 'api_key', scope_id: '*', project_id: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' }, 'project_id'],
    [{ scope: 'organization', period: 'hour' }, 'period'],
  ])('is refused as %j at %s', async (fields, param) => {
    expect(await make(fields)).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

it('who spent what of a budget of each is listed, also by name, and periods need to know whose', async () => {
  const { body } = await make({ scope: 'end_user', scope_id: '*' });
  const path = `/api/v1/budgets/${body.id}`;
  const id = (await make({ scope: 'end_user', scope_id: 'ana', period: 'day' })).body.scope_id as string;
  expect((await hold(id)).held).toBe(600n);
  expect((await hold(id)).refusedBy).toEqual({ budgetId: expect.any(String) as string, budgetName: 'Each' });
  const row = {
    scope_id: id,
    name: null,
    session_id: null,
    spent_nanos: 0,
    reserved_nanos: 600,
    consumed_bps: 0,
  };
  expect((await caller.get(`${path}/spends`)).body.data).toEqual([row]);
  expect((await caller.get(`${path}/spends?scope_id=ana`)).body.data).toEqual([row]);
  expect(await caller.get(`${path}/periods`)).toMatchObject({
    status: 400,
    body: { error: { param: 'scope_id' } },
  });
  expect((await caller.get(`${path}/periods?scope_id=ana`)).body.data).toHaveLength(26);
});

it('the budgets of a key and an end user are those that count a call of both', async () => {
  const own = await management.withKey(organization, undefined, organization.projectId);
  const ids: Record<string, string> = {};
  const add = async (name: string, fields: object) =>
    (ids[name] = (await make({ name, ...fields })).body.id as string);
  await add('each', { scope: 'end_user', scope_id: '*' });
  await add('ana', { scope: 'end_user', scope_id: 'ana' });
  await add('models', { scope: 'model', scope_id: '*' });
  await add('model', { scope: 'model', scope_id: 'acme/small' });
  await add('keys', { scope: 'api_key', scope_id: '*' });
  const found = async (query: string) => {
    const { body } = await caller.get(`/api/v1/budgets?applies_to=${own.keyId}${query}`);
    return (body.data as { name: string }[]).map(({ name }) => name).sort();
  };
  expect(await found('')).toEqual(['keys', 'models']);
  expect(await found('&end_user=ana')).toEqual(['ana', 'keys', 'models']);
  expect(await found('&end_user=ben')).toEqual(['each', 'keys', 'models']);
});

describe('an override', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it('is the amount until it ends, with its audit entry, and ends by null', async () => {
    const { body: made } = await make({ scope: 'organization' });
    const path = `/api/v1/budgets/${made.id}`;
    const override = { amount_nanos: 5_000, until: inDays(7), reason: 'Launch' };
    expect((await caller.patch(path, { override })).body).toMatchObject({
      amount_nanos: 1_000,
      override,
      amount_in_force_nanos: 5_000,
    });
    expect((await hold(null)).held).toBe(600n);
    expect((await hold(null)).held).toBe(600n);
    expect((await caller.patch(path, { override: null })).body).toMatchObject({
      override: null,
      amount_in_force_nanos: 1_000,
    });
    expect((await hold(null)).held).toBeNull();
    const entries = await management.database.prisma.auditEntry.findMany({
      where: { targetId: made.id as string },
    });
    expect(entries.map(({ changes }) => changes)).toContainEqual({ override: { from: null, to: override } });
  });

  it.each([[-1], [367]])('that ends in %i days is refused', async (days) => {
    const { body } = await make({ scope: 'organization' });
    const override = { amount_nanos: 1, until: inDays(days), reason: 'x' };
    expect(await caller.patch(`/api/v1/budgets/${body.id}`, { override })).toMatchObject({
      status: 400,
      body: { error: { param: 'override.until' } },
    });
  });
});

describe('the member of a key', () => {
  const permissions = ['key:create', 'key:read'];
  const withSecret = (secret: unknown) => management.client({ authorization: `Bearer ${String(secret)}` });

  it('is its maker’s, of a key that a key made that one’s, and another’s only with budget:write', async () => {
    const member = await management.database.prisma.member.findFirstOrThrow({
      where: { organizationId: organization.id },
    });
    const post = (fields: object, by = caller) =>
      by.post('/api/v1/keys', { name: 'K', scopes: ['key:read'], ...fields });
    expect((await post({ member_id: member.id })).body.api_key.member_id).toBe(member.id);
    const nobody = await post({ scopes: permissions, member_id: null });
    expect(nobody.body.api_key.member_id).toBeNull();
    const owned = await post({ scopes: permissions, member_id: member.id });
    const child = await post({}, withSecret(owned.body.key));
    expect(child.body.api_key.member_id).toBe(member.id);
    const refused = await post({ member_id: null }, withSecret(owned.body.key));
    expect(refused).toMatchObject({ status: 403, body: { error: { param: 'member_id' } } });
    const unknown = await post({ member_id: 'mem_06dpm2q4x8k3c0v9r7t5w1hzny' });
    expect(unknown).toMatchObject({ status: 400, body: { error: { param: 'member_id' } } });
  });
});
