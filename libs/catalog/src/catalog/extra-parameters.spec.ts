import { extraParameters } from './extra-parameters';

const problemsOf = (names: unknown) =>
  extraParameters.safeParse(names).error?.issues.map(({ path, message }) => [...path, message].join(' ')) ??
  [];

describe('extra parameters of an endpoint', () => {
  it('are any names of letters, digits and underscores', () => {
    expect(problemsOf(['min_p', 'chat_template_kwargs', 'thinking', 'K2', 'x'.repeat(64)])).toEqual([]);
    const problem = 'must have 1 to 64 letters, digits or underscores';
    expect(problemsOf(['a b', '', 'x'.repeat(65), 'ü'])).toEqual(
      [0, 1, 2, 3].map((at) => `${String(at)} ${problem}`),
    );
  });

  it.each([
    [
      'the service itself',
      ['model', 'messages', 'stream', 'n', 'compat_mode', 'max_tokens', 'max_new_tokens'],
    ],
    [
      'routing',
      ['fallbacks', 'models', 'route', 'provider', 'transforms', 'thread', 'extra_body', 'base_url'],
    ],
    ['billing and accounts', ['billing_policy', 'fallback_credit_token', 'speed', 'api_key', 'organization']],
  ])('are none of %s', (_, names) => {
    for (const name of names) {
      expect(problemsOf(['min_p', name])).toEqual(['1 is a field that no endpoint may take as its own']);
    }
  });
});
