import { ownerAddress, ownerOf, subjectOf } from './owner';

const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';
const PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';

describe('the owner of a policy', () => {
  it.each([
    { level: 'organization', id: ORGANIZATION },
    { level: 'project', id: PROJECT },
    { level: 'key', id: KEY },
  ] as const)('that an address names is the same again: $level', (owner) => {
    expect(ownerOf(ownerAddress(owner), ORGANIZATION)).toEqual(owner);
  });

  it('is asked about with its level, and without one for the organization', () => {
    expect(subjectOf({ level: 'organization', id: ORGANIZATION })).toEqual({});
    expect(subjectOf({ level: 'project', id: PROJECT })).toEqual({ level: 'project', project_id: PROJECT });
    expect(subjectOf({ level: 'key', id: KEY })).toEqual({ level: 'key', api_key_id: KEY });
  });
});
