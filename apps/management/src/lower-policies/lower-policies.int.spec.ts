import { systemIds } from '@svc/runtime';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

let management: ManagementUnderTest;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());

const begin = async () => {
  const organization = await management.newOrganization();
  const caller = await management.withKey(organization);
  const key = (await caller.post('/api/v1/keys', { name: 'Own', scopes: ['inference:invoke'] })).body;
  const id: string = key.api_key.id;
  const project = `/api/v1/projects/${organization.projectId}/policy`;
  return { organization, caller, keyId: id, project, key: `/api/v1/keys/${id}/policy` };
};
const refusalOf = ({ status, body }: Awaited<ReturnType<Client['get']>>) => [
  status,
  body.error?.code,
  body.error?.param,
];
const traces = async (organizationId: string) => ({
  entries: await management.database.prisma.auditEntry.findMany({
    where: { organizationId, action: 'policy.update' },
  }),
  events: (await management.database.prisma.outboxEvent.findMany({ where: { organizationId } }))
    .map(({ payload }) => JSON.parse(payload) as { type: string; data: object })
    .filter(({ type }) => type === 'policy.updated'),
});

describe('the policy of a project and of a key', () => {
  it('that was never written takes nothing away, as version 0', async () => {
    const { organization, caller, keyId, project, key } = await begin();
    const common = {
      id: null,
      organization_id: organization.id,
      version: 0,
      created_by: null,
      created_at: null,
    };
    const ofProject = await caller.get(project);
    expect(ofProject.body).toMatchObject({ ...common, project_id: organization.projectId, retention: null });
    expect(ofProject.headers.get('etag')).toBe('"0"');
    expect(ofProject.body).not.toHaveProperty('sort');
    const ofKey = await caller.get(key);
    expect(ofKey.body).toMatchObject({ ...common, api_key_id: keyId, allowed_ips: null });
    expect(ofKey.body).not.toHaveProperty('rate_limit_rpm');
    expect((await caller.get(`${key}/versions`)).body.data).toEqual([]);
  });

  it('is written whole as its next version, read at both path forms, and counted apart from the organization’s', async () => {
    const { organization, caller, project, key } = await begin();
    await caller.put('/api/v1/policy', { sort: 'latency' });
    for (const path of [project, key]) {
      await caller.put(path, { max_output_tokens: 9 });
      const { body: read } = await caller.get(path);
      const written = await caller.put(path, { ...read, denied_regions: ['us'] });
      expect([written.status, written.headers.get('etag')]).toEqual([200, '"2"']);
      expect(written.body).toMatchObject({ version: 2, max_output_tokens: 9, denied_regions: ['us'] });
      const scoped = path.replace('/api/v1', `/api/v1/organizations/${organization.id}`);
      expect((await caller.get(scoped)).body).toEqual(written.body);
      expect((await caller.get(`${path}/versions/${written.body.id}`)).body).toEqual(written.body);
      const { body: listed } = await caller.get(`${path}/versions?limit=1`);
      expect(listed).toMatchObject({ data: [{ version: 2 }], has_more: true });
      const rest = await caller.get(`${path}/versions?cursor=${listed.next_cursor}`);
      expect(rest.body).toMatchObject({ data: [{ version: 1 }], has_more: false });
    }
    expect((await caller.get('/api/v1/policy')).body).toMatchObject({ version: 1, denied_regions: [] });
  });

  it('refuses what its level does not take, naming the field', async () => {
    const { caller, project, key } = await begin();
    for (const [path, body, param] of [
      [project, { sort: 'price' }, 'sort'],
      [project, { credential_mode: 'own_only' }, 'credential_mode'],
      [project, { affinity: 'off' }, 'affinity'],
      [key, { affinity: 'off' }, 'affinity'],
      [project, { allowed_ips: [] }, 'allowed_ips'],
      [key, { rate_limit_rpm: 5 }, 'rate_limit_rpm'],
      [key, { end_user_rate_limit_rpm: 5 }, 'end_user_rate_limit_rpm'],
      [key, { max_attempts: 5 }, 'max_attempts'],
      [key, { max_output_tokens: 0 }, 'max_output_tokens'],
      [key, { allowed_operations: ['completions'] }, 'allowed_operations[0]'],
      ['/api/v1/policy', { rate_limit_rpm: 5 }, 'rate_limit_rpm'],
      ['/api/v1/policy', { allowed_ips: [] }, 'allowed_ips'],
      ['/api/v1/policy', { retention: null }, 'retention'],
    ] as const) {
      expect(refusalOf(await caller.put(path, body))).toEqual([400, 'invalid_request', param]);
    }
  });

  it('gets one version of two who saw the same, and says so to the other', async () => {
    const { caller, project, key } = await begin();
    for (const path of [project, key]) {
      const answers = await Promise.all(
        [1, 2].map((most) => caller.call('PUT', path, { max_output_tokens: most }, { 'if-match': '"0"' })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    }
  });

  it('has neither gaps nor duplicates of versions, however many are written at once', async () => {
    const { caller, key } = await begin();
    const counts = [1, 2, 3, 4, 5, 6];
    const written = await Promise.all(counts.map((most) => caller.put(key, { max_output_tokens: most })));
    expect(written.map(({ body }) => body.version as number).toSorted((a, b) => a - b)).toEqual(counts);
  });

  it('is told of with its level, in the audit log and by an event', async () => {
    const { organization, caller, keyId, key } = await begin();
    const { body } = await caller.put(key, { max_cost_nanos: 5 });
    const { entries, events } = await traces(organization.id);
    expect(entries).toMatchObject([
      {
        targetId: body.id,
        changes: {
          level: { to: 'key' },
          api_key_id: { to: keyId },
          version: { from: 0, to: 1 },
          max_cost_nanos: { from: null, to: 5 },
        },
      },
    ]);
    expect(events).toMatchObject([
      {
        data: { policy_id: body.id, version: 1, level: 'key', project_id: null, api_key_id: keyId },
      },
    ]);
  });

  it('of a revoked key and an archived project can be read, and no more be written', async () => {
    const { organization, caller, keyId, project, key } = await begin();
    for (const path of [project, key]) await caller.put(path, { max_output_tokens: 5 });
    await caller.call('DELETE', `/api/v1/keys/${keyId}`);
    await caller.patch(`/api/v1/projects/${organization.projectId}`, { state: 'archived' });
    for (const path of [project, key]) {
      expect((await caller.get(path)).body.version).toBe(1);
      expect(refusalOf(await caller.put(path, {}))).toEqual([409, 'conflict', undefined]);
    }
  });

  it('of another organization, or of nobody, is not found', async () => {
    const theirs = await begin();
    const { caller } = await begin();
    const unknown = [
      `/api/v1/projects/${systemIds('project')}/policy`,
      `/api/v1/keys/${systemIds('apiKey')}/policy`,
    ];
    for (const path of [theirs.project, theirs.key, ...unknown]) {
      expect((await caller.get(path)).status).toBe(404);
      expect((await caller.get(`${path}/versions`)).status).toBe(404);
      expect((await caller.put(path, {})).status).toBe(404);
    }
  });

  it('is read by a project’s key in its own project alone, and the organization’s not at all', async () => {
    const { organization, caller, key, project } = await begin();
    const scopes = ['policy:read', 'key:read'];
    const { body } = await caller.post('/api/v1/keys', {
      name: 'Of it',
      scopes,
      project_id: organization.projectId,
    });
    const own = management.client({ authorization: `Bearer ${body.key as string}` });
    expect((await own.get(project)).status).toBe(200);
    expect((await own.get(`/api/v1/keys/${body.api_key.id as string}/policy`)).status).toBe(200);
    expect((await own.get(key)).status).toBe(404);
    const other = (await caller.post('/api/v1/projects', { name: 'Other' })).body.id as string;
    expect((await own.get(`/api/v1/projects/${other}/policy`)).status).toBe(404);
    expect(refusalOf(await own.put(project, {}))).toEqual([403, 'permission_denied', undefined]);
    for (const path of [
      '/api/v1/policy',
      '/api/v1/policy/versions',
      `/api/v1/policy/versions/${systemIds('policy')}`,
    ]) {
      expect(refusalOf(await own.get(path))).toEqual([403, 'permission_denied', undefined]);
    }
  });
});

describe('a key that has a policy', () => {
  const withPolicy = async (policy: object) => {
    const world = await begin();
    const scopes = [
      'inference:invoke',
      'key:create',
      'key:read',
      'policy:read',
      'policy:write',
      'project:read',
    ];
    const { status, body } = await world.caller.post('/api/v1/keys', { name: 'Narrow', scopes, policy });
    expect(status).toBe(201);
    const id: string = body.api_key.id;
    return { ...world, id, narrow: management.client({ authorization: `Bearer ${body.key as string}` }) };
  };
  const POLICY = { allowed_models: ['acme/small', 'acme/embed'], max_output_tokens: 10 };

  it('begins with the one that it was given, by a caller who may not write policies', async () => {
    const { organization } = await begin();
    const maker = await management.withKey(organization, ['key:create', 'inference:invoke', 'key:read']);
    const answer = await maker.post('/api/v1/keys', {
      name: 'New',
      scopes: ['inference:invoke'],
      policy: POLICY,
    });
    expect(answer.status).toBe(201);
    const caller = await management.withKey(organization);
    expect((await caller.get(`/api/v1/keys/${answer.body.api_key.id as string}/policy`)).body).toMatchObject({
      version: 1,
      ...POLICY,
    });
    const bad = await maker.post('/api/v1/keys', {
      name: 'New',
      scopes: ['inference:invoke'],
      policy: { sort: 'price' },
    });
    expect(refusalOf(bad)).toEqual([400, 'invalid_request', 'policy.sort']);
  });

  it('writes none, at any level, not even its own', async () => {
    const { narrow, id, key, project } = await withPolicy(POLICY);
    for (const path of ['/api/v1/policy', project, key, `/api/v1/keys/${id}/policy`]) {
      expect(refusalOf(await narrow.put(path, {}))).toEqual([403, 'permission_denied', undefined]);
      expect((await narrow.get(path)).status).toBe(200);
    }
  });

  it('hands its own on to keys that it makes, met with what they are given', async () => {
    const { narrow, caller } = await withPolicy(POLICY);
    const made = await narrow.post('/api/v1/keys', { name: 'Child', scopes: ['inference:invoke'] });
    const path = `/api/v1/keys/${made.body.api_key.id as string}/policy`;
    expect((await caller.get(path)).body).toMatchObject({ version: 1, ...POLICY });
    const wider = {
      allowed_models: ['acme/small', 'acme/large'],
      max_output_tokens: 99,
      denied_regions: ['us'],
    };
    const second = await narrow.post('/api/v1/keys', {
      name: 'Child',
      scopes: ['inference:invoke'],
      policy: wider,
    });
    expect((await caller.get(`/api/v1/keys/${second.body.api_key.id as string}/policy`)).body).toMatchObject({
      allowed_models: ['acme/small'],
      max_output_tokens: 10,
      denied_regions: ['us'],
    });
  });

  it('hands its own on to its successor, whoever makes that', async () => {
    const { caller, id } = await withPolicy(POLICY);
    const successor = await caller.post('/api/v1/keys', {
      name: 'Next',
      scopes: ['inference:invoke'],
      replaces: id,
      policy: { max_output_tokens: 3 },
    });
    expect(
      (await caller.get(`/api/v1/keys/${successor.body.api_key.id as string}/policy`)).body,
    ).toMatchObject({
      version: 1,
      allowed_models: POLICY.allowed_models,
      max_output_tokens: 3,
    });
  });
});
