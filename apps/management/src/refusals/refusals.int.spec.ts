import { RefusalStore, type RefusalCount } from '@svc/usage/store';
import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const HOUR_MS = 3_600_000;
const THIS_HOUR = Date.parse('2026-11-20T09:00:00.000Z');
const [KEY_1, KEY_2] = [systemIds('apiKey'), systemIds('apiKey')];
const PATH = '/api/v1/usage/refusals';

describe('refusals', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement({ clock: { now: () => NOW } });
  });
  afterAll(() => management.close());

  let batches = 0;
  async function refused({ id }: Organization, rows: readonly Partial<RefusalCount>[]): Promise<void> {
    const row: RefusalCount = {
      ...{ organizationId: id, hourMs: THIS_HOUR, projectId: null, apiKeyId: KEY_1, model: 'acme/small' },
      ...{ code: 'rate_limit', httpStatus: 429, count: 1, lastAtMs: NOW, lastMessage: 'Used up.' },
    };
    await new RefusalStore(management.database).addRefusals({
      writerId: 'edge_1',
      number: ++batches,
      rows: rows.map((more) => ({ ...row, ...more })),
    });
  }
  const notFound = { code: 'not_found', httpStatus: 404, model: null, lastMessage: 'No such model.' };

  it('of the last 24 hours are counted by code and model when nothing is asked', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await refused(organization, [
      { count: 3 },
      { count: 4, apiKeyId: KEY_2, lastAtMs: NOW - 1 },
      { ...notFound, count: 2 },
      { hourMs: THIS_HOUR - 23 * HOUR_MS },
      { hourMs: THIS_HOUR - 24 * HOUR_MS, count: 100 },
    ]);
    const { status, body } = await key.get(PATH);
    expect(status).toBe(200);
    const last = { last_at: '2026-11-20T09:30:00.000Z' };
    expect(body).toEqual({
      start: '2026-11-19T10:00:00.000Z',
      end: '2026-11-20T10:00:00.000Z',
      data: [
        {
          ...{ code: 'rate_limit', http_status: 429, model: 'acme/small', count: 8 },
          ...{ ...last, last_message: 'Used up.' },
        },
        {
          code: 'not_found',
          http_status: 404,
          model: null,
          count: 2,
          ...last,
          last_message: 'No such model.',
        },
      ],
      total: { count: 10 },
    });
    expect((await key.get(`/api/v1/organizations/${organization.id}/usage/refusals`)).body).toEqual(body);
  });

  it('are grouped and filtered by all that is counted', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { projectId } = organization;
    await refused(organization, [
      { count: 5, projectId },
      { ...notFound, apiKeyId: KEY_2 },
    ]);
    const groups = async (query: string) => {
      const { body } = await key.get(`${PATH}?${query}`);
      return body.data.map(
        ({ last_at: _at, last_message: _message, ...group }: Record<string, unknown>) => group,
      );
    };
    expect(await groups('group_by=hour,project,api_key')).toEqual([
      { hour: '2026-11-20T09:00:00.000Z', project_id: projectId, api_key_id: KEY_1, count: 5 },
      { hour: '2026-11-20T09:00:00.000Z', project_id: null, api_key_id: KEY_2, count: 1 },
    ]);
    for (const filter of [
      `project_id=${projectId}`,
      `api_key_id=${KEY_1}`,
      'model=acme/small',
      'code=rate_limit',
    ]) {
      expect(await groups(`group_by=code&${filter}`)).toEqual([
        { code: 'rate_limit', http_status: 429, count: 5 },
      ]);
    }
  });

  it('of other projects do not show to a project’s key, nor those of other organizations to anyone', async () => {
    const [organization, other] = [await management.newOrganization(), await management.newOrganization()];
    const { projectId } = organization;
    await refused(organization, [{ count: 5, projectId }, { count: 7 }]);
    const ofProject = await management.withKey(organization, ['usage:read'], projectId);
    expect((await ofProject.get(PATH)).body.total).toEqual({ count: 5 });
    const elsewhere = `${PATH}?project_id=${systemIds('project')}`;
    expect((await ofProject.get(elsewhere)).body).toMatchObject({ data: [], total: { count: 0 } });
    const foreign = await management.withKey(other);
    expect((await foreign.get(`${PATH}?api_key_id=${KEY_1}`)).body).toMatchObject({ data: [] });
  });

  it.each([
    ['group_by=day', 'group_by'],
    ['group_by=code,code', 'group_by'],
    ['start=2026-10-01&end=2026-11-10', 'start'],
    ['start=2026-11-20&end=2026-11-20', 'end'],
    ['api_key_id=none', 'api_key_id'],
  ])('are refused for %s', async (query, param) => {
    const key = await management.withKey(await management.newOrganization());
    const { status, body } = await key.get(`${PATH}?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});
