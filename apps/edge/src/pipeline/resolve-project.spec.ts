import { type Caller } from '../call/caller';
import { type CallHeaders } from '../call/inference-call';
import { ProjectResolver } from './resolve-project';

const callerOf = (projectId: string | null): Caller => ({
  apiKeyId: 'key_1',
  organizationId: 'org_1',
  projectId,
  buckets: [],
});

/** Organization 1 has projects 1 and 7, organization 2 has project 2. */
const newResolver = () => {
  const lookups: string[] = [];
  const resolver = new ProjectResolver((organizationId, projectId) => {
    lookups.push(`${organizationId}/${projectId}`);
    return Promise.resolve(
      ['org_1/proj_1', 'org_1/proj_7', 'org_2/proj_2'].includes(`${organizationId}/${projectId}`),
    );
  });
  return { resolver, lookups };
};
const resolve = (projectId: string | null, headers: CallHeaders) =>
  newResolver().resolver.resolve(callerOf(projectId), headers);

describe('the project of a call', () => {
  it.each(['compat-project', 'x-svc-project', 'openai-project'])(
    'is named by the header %s, for an organization-wide key',
    async (header) => {
      expect(await resolve(null, { [header]: 'proj_1' })).toBe('proj_1');
    },
  );

  it('is none for an organization-wide key that names none', async () => {
    expect(await resolve(null, {})).toBeNull();
    expect(await resolve(null, { 'compat-project': '' })).toBeNull();
  });

  it('is the key’s own for a project key, whatever the header says', async () => {
    expect(await resolve('proj_7', { 'compat-project': 'proj_1' })).toBe('proj_7');
    expect(await resolve('proj_7', { 'compat-project': 'proj_unknown' })).toBe('proj_7');
  });

  it('is 404 for a project key whose project is archived', async () => {
    await expect(resolve('proj_archived', {})).rejects.toMatchObject({
      code: 'not_found',
      param: 'Compat-Project',
    });
  });

  it.each([
    ['Compat-Project', 'proj_unknown'],
    ['X-Svc-Project', 'proj_unknown'],
    ['OpenAI-Project', 'proj_2'],
  ])('is 404 with the header’s name where %s says %s', async (header, project) => {
    await expect(resolve(null, { [header.toLowerCase()]: project })).rejects.toMatchObject({
      code: 'not_found',
      param: header,
    });
  });

  it('is looked up once for many calls', async () => {
    const { resolver, lookups } = newResolver();
    const call = () => resolver.resolve(callerOf(null), { 'compat-project': 'proj_1' });
    await Promise.all(Array.from({ length: 100 }, call));
    expect(lookups).toEqual(['org_1/proj_1']);
  });

  it('of another organization is not found through the cache of that organization', async () => {
    const { resolver } = newResolver();
    const headers = { 'compat-project': 'proj_2' };
    await resolver.resolve({ ...callerOf(null), organizationId: 'org_2' }, headers);
    await expect(resolver.resolve(callerOf(null), headers)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an organization header', () => {
  it('that names the key’s organization changes nothing', async () => {
    expect(await resolve(null, { 'compat-organization': 'org_1' })).toBeNull();
  });

  it.each(['Compat-Organization', 'OpenAI-Organization'])(
    '%s that names another is 403, even for a project key',
    async (header) => {
      for (const projectId of [null, 'proj_7']) {
        await expect(resolve(projectId, { [header.toLowerCase()]: 'org_2' })).rejects.toMatchObject({
          code: 'permission_denied',
          param: header,
          definition: { status: 403 },
        });
      }
    },
  );
});
