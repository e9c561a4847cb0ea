import { ANYTHING, changeIn } from './change';

const told = (fields: object) => changeIn(JSON.stringify(fields));

describe('a change that a trigger tells', () => {
  it('is of what services cache', () => {
    const organization_id = 'org_1';
    expect(told({ table: 'organizations.prices', organization_id })).toEqual({
      of: 'prices',
      organizationId: 'org_1',
    });
    expect(
      told({ table: 'lower_policy_versions', organization_id, level: 'key', owner_id: 'key_1' }),
    ).toEqual({ of: 'lowerPolicy', organizationId: 'org_1', level: 'key', ownerId: 'key_1' });
    expect(told({ table: 'api_keys', organization_id, key_sha256: 'aGFzaA==' })).toEqual({
      of: 'apiKey',
      organizationId: 'org_1',
      keySha256: 'aGFzaA==',
    });
  });

  const health = {
    table: 'credential_reports',
    edge_instance_id: 'edge_1',
    credential: 'cred_1',
    health_epoch: 2,
    endpoint_id: '',
    rest: null,
    rests_for_ms: null,
    trial_in_ms: 1.5,
  };

  it('is of the health of a credential, which an edge tells', () => {
    expect(told(health)).toEqual({
      of: 'credentialHealth',
      edgeInstanceId: 'edge_1',
      credential: 'cred_1',
      healthEpoch: 2,
      endpointId: null,
      rest: null,
      restsForMs: null,
      trialInMs: 1.5,
    });
  });

  it.each([
    undefined,
    '',
    'null',
    '[]',
    '{}',
    '{"table":"later","organization_id":"org_1"}',
    '{"table":"toString","organization_id":"org_1"}',
    '{"table":"organizations"}',
    '{"table":"projects","organization_id":"org_1"}',
    '{"table":"lower_policy_versions","organization_id":"org_1","level":"team","owner_id":"a"}',
    JSON.stringify({ ...health, rest: 'later' }),
    JSON.stringify({ ...health, health_epoch: 1.5 }),
    JSON.stringify({ ...health, trial_in_ms: '1' }),
  ])('counts as one of anything where it is unknown, perhaps of a newer version: %s', (payload) => {
    expect(changeIn(payload)).toBe(ANYTHING);
  });
});
