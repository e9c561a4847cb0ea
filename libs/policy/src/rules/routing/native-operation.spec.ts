import { type Provider, type ProviderProtocol } from '@svc/catalog';
import { type Operation } from '@svc/protocol';
import { isNative, serves, upstreamOperation } from './native-operation';

const at = (protocol: ProviderProtocol, ...operations: Operation[]) => ({
  provider: {
    name: 'acme',
    protocol,
    baseUrl: 'https://acme.example',
    credentialEnv: null,
  } satisfies Provider,
  operations: new Set(operations),
});

describe('a responses call', () => {
  it.each([
    [at('openai', 'responses'), 'responses'],
    [at('openai', 'chat_completions', 'messages', 'responses'), 'responses'],
    [at('openai', 'chat_completions', 'messages'), 'chat_completions'],
    [at('anthropic', 'chat_completions', 'messages'), 'messages'],
  ] as const)('is asked in what the endpoint speaks: %j', (endpoint, operation) => {
    expect(upstreamOperation(endpoint, 'responses')).toBe(operation);
    expect(isNative(endpoint, 'responses')).toBe(operation === 'responses');
  });

  it('is served where its own operation or chat completions are listed', () => {
    expect(serves(at('openai', 'responses'), 'responses')).toBe(true);
    expect(serves(at('anthropic', 'chat_completions'), 'responses')).toBe(true);
    expect(serves(at('anthropic', 'messages'), 'responses')).toBe(false);
    expect(serves(at('openai', 'embeddings'), 'responses')).toBe(false);
    expect(serves(at('openai', 'responses'), 'chat_completions')).toBe(false);
  });
});
