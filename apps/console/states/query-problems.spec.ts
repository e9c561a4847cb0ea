import { queryProblems } from './query-problems';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const ID = '06dpm2q4x8k3c0v9r7t5w1hzny';
const problemsOf = (path: string, query: string) =>
  queryProblems({
    method: 'GET',
    path: BELOW + path,
    query: new URLSearchParams(query),
    headers: {},
    body: null,
  });

describe('what the API would refuse of a query', () => {
  it.each([
    ['/usage', `group_by=api_key&api_key_id=key_${ID},key_${ID}`],
    ['/projects', 'limit=50'],
    ['/members', 'role=owner'],
    ['/requests', 'metadata[team]=search'],
  ])('is nothing of %s?%s', (path, query) => expect(problemsOf(path, query)).toEqual([]));

  it.each([
    ['/usage', `project_id=proj_${ID},proj_${ID}`],
    ['/projects', 'limit=101'],
    ['/members', 'role=king'],
    ['/projects', 'sorted=yes'],
  ])('is named of %s?%s', (path, query) => expect(problemsOf(path, query)).toHaveLength(1));
});
