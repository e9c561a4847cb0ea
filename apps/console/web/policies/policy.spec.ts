import { defaultOf, documentOf, fieldsOf, policyLevels, writtenOf, type PolicyDocument } from './policy';

describe('the fields of a policy', () => {
  it('are those of its level: nobody below the organization orders endpoints, only a key has addresses', () => {
    expect(policyLevels.map((level) => fieldsOf(level).length)).toEqual([20, 17, 14]);
    expect(policyLevels.filter((level) => fieldsOf(level).includes('sort'))).toEqual(['organization']);
    expect(policyLevels.filter((level) => fieldsOf(level).includes('rate_limit_rpm'))).toEqual(['project']);
    expect(policyLevels.filter((level) => fieldsOf(level).includes('allowed_ips'))).toEqual(['key']);
  });

  it.each(policyLevels)('of %s are written whole, without those of another level', (level) => {
    const other = {
      ...defaultOf(level),
      sort: 'latency',
      allowed_ips: [],
      rate_limit_rpm: 1,
    } as PolicyDocument;
    expect(Object.keys(writtenOf(level, other))).toEqual(fieldsOf(level));
  });

  it('that are absent, or that the level does not take, are at their default', () => {
    expect(documentOf('key', { max_output_tokens: 5, sort: 'latency' })).toEqual({
      ...defaultOf('key'),
      max_output_tokens: 5,
    });
  });

  it('say nothing of retention below the organization, where the levels above decide', () => {
    expect(policyLevels.map((level) => defaultOf(level).retention)).toEqual(['metadata', null, null]);
  });
});
