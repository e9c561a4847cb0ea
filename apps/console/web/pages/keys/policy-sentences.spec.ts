import { defaultOf } from '../../policies/policy';
import { policySentences } from './policy-sentences';

describe('the policy of a key in sentences', () => {
  it('says nothing where it takes nothing away', () => {
    expect(policySentences(defaultOf('key'))).toEqual([]);
  });

  it('names what is allowed, what never is, and each limit', () => {
    expect(
      policySentences({
        ...defaultOf('key'),
        allowed_models: ['acme/small', 'acme/large'],
        denied_providers: ['mistral'],
        allowed_operations: ['chat_completions'],
        require_end_user: true,
        max_output_tokens: 4096,
        max_cost_nanos: 50_000_001n,
        retention: 'none',
      }),
    ).toEqual([
      'Denied providers: mistral.',
      'Allowed models: acme/small and acme/large.',
      'Allowed operations: Chat completions.',
      'Calls must name an end user.',
      'At most 4,096 output tokens per call.',
      'At most $0.050000001 per call.',
      'Only billing data is stored.',
    ]);
  });

  it('says that an empty list allows nothing, and counts the names of a long one', () => {
    const denied_models = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6', 'a/7'];
    expect(policySentences({ ...defaultOf('key'), allowed_regions: [], denied_models })).toEqual([
      'No region is allowed, so all calls are refused.',
      'Denied models: a/1, a/2, a/3, a/4, a/5, and 2 more.',
    ]);
  });
});
