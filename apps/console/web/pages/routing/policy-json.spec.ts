import { defaultOf, policyLevels } from '../../policies/policy';
import { jsonOf, readPolicyJson } from './policy-json';

const defaultDocument = defaultOf('organization');

describe('a policy as JSON', () => {
  it('is read as it was written', () => {
    const limits = {
      max_cost_nanos: 1_500_000_000n,
      max_output_tokens: 64,
      allowed_operations: ['messages' as const],
    };
    const document = { ...defaultDocument, ...limits, allowed_regions: [], max_attempts: 3 };
    expect(readPolicyJson('organization', jsonOf('organization', document))).toEqual({ document });
  });

  it('has defaults for absent fields, and ignores what a write ignores', () => {
    expect(readPolicyJson('organization', '{"sort":"latency","version":3,"id":null}')).toEqual({
      document: { ...defaultDocument, sort: 'latency' },
    });
  });

  it.each([
    ['', null],
    ['[]', null],
    ['null', null],
    ['{"sort":', null],
    ['{"sort":"speed"}', 'sort'],
    ['{"denied_regions":null}', 'denied_regions'],
    ['{"allowed_regions":[1]}', 'allowed_regions'],
    ['{"max_attempts":1.5}', 'max_attempts'],
    ['{"max_cost_nanos":"1"}', 'max_cost_nanos'],
    ['{"denied_operations":null}', 'denied_operations'],
    ['{"constructor":1}', 'constructor'],
  ])('names the field of %s that is wrong', (text, field) => {
    expect(readPolicyJson('organization', text)).toEqual({ problem: { field } });
  });

  it.each(policyLevels)('of %s is read as it was written', (level) => {
    expect(readPolicyJson(level, jsonOf(level, defaultOf(level)))).toEqual({ document: defaultOf(level) });
  });

  it.each([
    ['project', '{"sort":"price"}', 'sort'],
    ['project', '{"allowed_ips":[]}', 'allowed_ips'],
    ['project', '{"api_key_id":null}', 'api_key_id'],
    ['key', '{"rate_limit_rpm":1}', 'rate_limit_rpm'],
    ['organization', '{"retention":null}', 'retention'],
    ['organization', '{"allowed_ips":null}', 'allowed_ips'],
  ] as const)('of %s takes no field of another level: %s', (level, text, field) => {
    expect(readPolicyJson(level, text)).toEqual({ problem: { field } });
  });

  it('of a key takes its addresses, and no word on retention', () => {
    const document = { ...defaultOf('key'), allowed_ips: ['192.0.2.0/24'] };
    expect(
      readPolicyJson('key', '{"allowed_ips":["192.0.2.0/24"],"retention":null,"api_key_id":"x"}'),
    ).toEqual({
      document,
    });
  });
});
