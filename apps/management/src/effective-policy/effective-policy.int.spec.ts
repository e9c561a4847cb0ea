import { systemIds } from '@svc/runtime';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';

const EFFECTIVE = '/api/v1/policy/effective';
let management: ManagementUnderTest;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());

const begin = async () => {
  const organization = await management.newOrganization();
  const caller = await management.withKey(organization);
  const { projectId } = organization;
  const fields = { name: 'Of it', scopes: ['policy:read', 'catalog:read'], project_id: projectId };
  const { body } = await caller.post('/api/v1/keys', fields);
  const keyId: string = body.api_key.id;
  const own = management.client({ authorization: `Bearer ${body.key as string}` });
  return { organization, caller, projectId, keyId, own };
};

describe('the effective policy', () => {
  it('is the default of each field, decided by nobody, where nothing was written', async () => {
    const { caller } = await begin();
    const { status, body } = await caller.get(EFFECTIVE);
    expect([status, body.project_id, body.api_key_id]).toEqual([200, null, null]);
    expect(body.fields.retention).toEqual({ value: 'metadata', decided_by: [] });
    expect(body.fields.allowed_ips).toEqual({ value: null, decided_by: [] });
    expect(body.rate_limits).toEqual([{ scope: 'org', requests: 6_000, tokens: 10_000_000 }]);
  });

  it('is that of organization, project and key, met, and names who decided', async () => {
    const { caller, projectId, keyId } = await begin();
    await caller.put('/api/v1/policy', { denied_models: ['acme/large'], end_user_rate_limit_rpm: 30 });
    const project = `/api/v1/projects/${projectId}/policy`;
    const written = await caller.put(project, {
      max_output_tokens: 100,
      rate_limit_rpm: 40,
      end_user_rate_limit_tpm: 50,
    });
    await caller.put(`/api/v1/keys/${keyId}/policy`, {
      max_output_tokens: 200,
      denied_models: ['acme/huge'],
    });
    const { body } = await caller.get(`${EFFECTIVE}?api_key_id=${keyId}`);
    expect([body.project_id, body.api_key_id]).toEqual([projectId, keyId]);
    expect(body.fields.max_output_tokens).toEqual({
      value: 100,
      decided_by: [{ level: 'project', policy_id: written.body.id, version: 1 }],
    });
    expect(body.fields.denied_models).toMatchObject({
      value: ['acme/large', 'acme/huge'],
      decided_by: [{ level: 'organization' }, { level: 'key' }],
    });
    expect(body.rate_limits).toEqual([
      { scope: 'key', requests: 600, tokens: 1_000_000 },
      { scope: 'org', requests: 6_000, tokens: 10_000_000 },
      { scope: 'project', requests: 40, tokens: null },
      { scope: 'end_user', requests: 30, tokens: null },
      { scope: 'end_user', requests: null, tokens: 50 },
    ]);
    const ofProject = await caller.get(`${EFFECTIVE}?project_id=${projectId}`);
    expect(ofProject.body.fields.denied_models.value).toEqual(['acme/large']);
  });

  it('of a project that is not the key’s is refused, and of ids that the caller does not see not found', async () => {
    const { caller, keyId, own } = await begin();
    const theirs = await begin();
    const other: string = (await caller.post('/api/v1/projects', { name: 'Other' })).body.id;
    const refused = await caller.get(`${EFFECTIVE}?api_key_id=${keyId}&project_id=${other}`);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'project_id']);
    for (const query of [
      `api_key_id=${theirs.keyId}`,
      `project_id=${theirs.projectId}`,
      `project_id=${systemIds('project')}`,
      `api_key_id=${systemIds('apiKey')}`,
    ]) {
      expect((await caller.get(`${EFFECTIVE}?${query}`)).status).toBe(404);
    }
    expect((await own.get(`${EFFECTIVE}?project_id=${other}`)).status).toBe(404);
  });

  it('of the caller’s own key decides which models its catalog has', async () => {
    const { caller, own, keyId } = await begin();
    const before = (await own.get('/api/v1/catalog/models')).body.data as { id: string }[];
    await caller.put(`/api/v1/keys/${keyId}/policy`, {
      denied_models: before.slice(0, 1).map(({ id }) => id),
    });
    expect((await own.get('/api/v1/catalog/models')).body.data).toHaveLength(Math.max(0, before.length - 1));
    expect((await caller.get('/api/v1/catalog/models')).body.data).toHaveLength(before.length);
  });

  it('is that of its own project for a project’s key', async () => {
    const { own, projectId } = await begin();
    const { status, body } = await own.get(EFFECTIVE);
    expect([status, body.project_id]).toEqual([200, projectId]);
  });
});
