import { parseCall, type Operation } from '@svc/protocol';

import { type ModelEndpoint } from '../catalog/catalog';
import { unsupportedBy, usedParameters, warningsOf } from './parameters';

const parsed = (operation: Operation, fields: object) =>
  parseCall(
    operation,
    Buffer.from(JSON.stringify({ model: 'a/b', messages: [{ role: 'user', content: 'Hi' }], ...fields })),
  );
const endpoint = (protocol: 'openai' | 'anthropic', parameters: readonly string[] | null) =>
  ({ provider: { protocol }, parameters: parameters && new Set(parameters) }) as unknown as ModelEndpoint;

describe('the parameters that a call uses', () => {
  it('are its optional ones, in the caller’s spelling', () => {
    const call = parsed('chat_completions', {
      top_p: 1,
      stream: true,
      stream_options: { include_usage: true },
      seed: 0,
      max_output_tokens: 5,
      max_completion_tokens: 5,
      compat_mode: 'strict',
    });
    expect(usedParameters(call)).toEqual(['top_p', 'seed']);
    expect(usedParameters(parsed('messages', { max_tokens: 5, system: 'Be brief.', top_k: 1 }))).toEqual([
      'top_k',
    ]);
  });

  it('exclude null ones', () => {
    expect(usedParameters(parsed('chat_completions', { seed: null, n: 1 }))).toEqual(['n']);
  });

  it('include those too large to copy from the parsing thread', () => {
    const call = parsed('chat_completions', { tools: [] });
    const { tools: _, ...body } = call.body;
    expect(usedParameters({ ...call, body })).toEqual(['tools']);
  });
});

describe('the parameters that an endpoint does not support', () => {
  const unsupported = (
    target: ModelEndpoint,
    operation: Operation,
    parameters: readonly string[],
    untranslatable: readonly string[] = [],
  ) =>
    unsupportedBy(target, {
      operation,
      parameters,
      untranslatable: () => untranslatable.map((param) => ({ param, message: 'It has no counterpart.' })),
    }).map(({ param }) => param);

  it('are those not in its list, and none without a list', () => {
    const parameters = ['seed', 'top_p'];
    expect(unsupported(endpoint('openai', ['top_p']), 'chat_completions', parameters)).toEqual(['seed']);
    expect(unsupported(endpoint('openai', []), 'chat_completions', parameters)).toEqual(parameters);
    expect(unsupported(endpoint('openai', null), 'chat_completions', parameters)).toEqual([]);
  });

  it('exclude those that its list has under the other protocol’s name', () => {
    expect(unsupported(endpoint('anthropic', ['stop']), 'messages', ['stop_sequences'])).toEqual([]);
    expect(unsupported(endpoint('openai', ['stop_sequences']), 'chat_completions', ['stop'])).toEqual([]);
  });

  it('include the losses of translation, each once', () => {
    const losing = ['chat_completions', ['seed', 'top_p'], ['seed', 'messages[0].content[1]']] as const;
    expect(unsupported(endpoint('openai', null), ...losing)).toEqual([]);
    expect(unsupported(endpoint('anthropic', null), ...losing)).toEqual(['seed', 'messages[0].content[1]']);
    expect(unsupported(endpoint('anthropic', []), ...losing)).toEqual([
      'seed',
      'messages[0].content[1]',
      'top_p',
    ]);
  });

  it('are reported to the caller by name', () => {
    const call = { operation: 'messages', parameters: ['top_k'], untranslatable: () => [] } as const;
    expect(warningsOf(unsupportedBy(endpoint('anthropic', []), call))).toEqual([
      {
        param: 'top_k',
        code: 'unsupported_parameter',
        message: expect.stringContaining('`top_k`') as string,
      },
    ]);
  });
});
