import { defaultDocument } from './policy';
import { jsonOf, readPolicyJson } from './policy-json';

describe('a policy as JSON', () => {
  it('is read as it was written', () => {
    const limits = {
      max_cost_nanos: 1_500_000_000n,
      max_output_tokens: 64,
      allowed_operations: ['messages' as const],
    };
    const document = { ...defaultDocument, ...limits, allowed_regions: [], max_attempts: 3 };
    expect(readPolicyJson(jsonOf(document))).toEqual({ document });
  });

  it('has defaults for absent fields, and ignores what a write ignores', () => {
    expect(readPolicyJson('{"sort":"latency","version":3,"id":null}')).toEqual({
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
    expect(readPolicyJson(text)).toEqual({ problem: { field } });
  });
});
