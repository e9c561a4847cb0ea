import { type ModelEndpoint } from '@svc/catalog';
import { parseCall, type Operation } from '@svc/protocol';
import { routingCallOf } from './parameters';
import { planRoute } from './plan-route';
import {
  anthropic,
  endpoint,
  factsOf,
  keyed,
  modelId,
  type Circumstances,
} from './testing/arbitrary-routing';

const both = { platform: ['keyed'], own: ['keyed'] } satisfies Circumstances;
const messages = [{ role: 'user', content: 'Hi' }];
const at = (provider: typeof keyed, more: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
  ...endpoint('a', { provider }),
  ...more,
});

function planned(
  body: object,
  circumstances: Circumstances,
  { operation = 'chat_completions' as Operation, one = at(keyed) } = {},
) {
  const call = parseCall(
    operation,
    Buffer.from(JSON.stringify({ model: modelId, messages, max_tokens: 9, ...body })),
  );
  const { attempts } = planRoute(
    routingCallOf(call, () => []),
    factsOf([one], circumstances),
  );
  return attempts.map(({ credential, omit, losses, paidPartsOnly }) => ({
    credential,
    omit,
    told: losses.map(({ param }) => param),
    paidPartsOnly,
  }));
}

describe('an option that tokens do not pay for', () => {
  it('is sent on the own credential, and left out and told on the platform’s', () => {
    expect(planned({ service_tier: 'priority' }, both)).toEqual([
      { credential: 'own', omit: [], told: [], paidPartsOnly: false },
      { credential: 'platform', omit: ['service_tier'], told: ['service_tier'], paidPartsOnly: false },
    ]);
  });

  it('rules the platform’s credential out in strict mode, and is 422 without another one', () => {
    const strict = { service_tier: 'priority', compat_mode: 'strict' };
    expect(planned(strict, both)).toMatchObject([{ credential: 'own' }]);
    expect(() => planned(strict, { platform: ['keyed'] })).toThrow(
      expect.objectContaining({ code: 'capability_unsupported', param: 'service_tier' }),
    );
  });

  it('is left out of messages and tools too', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const one = at({ ...keyed, protocol: 'anthropic' });
    expect(planned({ tools }, both, { operation: 'messages', one })).toMatchObject([
      { credential: 'own', paidPartsOnly: false, told: [] },
      { credential: 'platform', paidPartsOnly: true, told: ['tools[0]'], omit: [] },
    ]);
  });

  it('is left out where the provider takes no credential', () => {
    const operation = 'messages';
    expect(planned({ inference_geo: 'us' }, {}, { operation, one: at(anthropic) })).toMatchObject([
      { credential: 'none', omit: ['inference_geo'] },
    ]);
  });

  it('is sent where the operator lists it beyond the fields of the route', () => {
    const one = at(keyed, { extraParameters: new Set(['web_search_options']) });
    expect(planned({ web_search_options: {} }, { platform: ['keyed'] }, { one })).toMatchObject([
      { omit: [], told: [] },
    ]);
  });
});

describe('what a provider would keep', () => {
  const policy = { requireZeroRetention: true };

  it('is left out and told under zero retention, on every credential', () => {
    const expected = { omit: ['store', 'metadata'], told: ['store'] };
    expect(planned({ store: true }, { ...both, policy })).toMatchObject([expected, expected]);
    expect(planned({ prompt_cache_retention: '24h' }, { own: ['keyed'], policy })).toMatchObject([
      { omit: ['prompt_cache_retention'] },
    ]);
  });

  it('is 422 under zero retention in strict mode', () => {
    expect(() => planned({ store: true, compat_mode: 'strict' }, { ...both, policy })).toThrow(
      expect.objectContaining({ code: 'capability_unsupported', param: 'store' }),
    );
  });

  it('is sent without such a policy', () => {
    expect(planned({ store: true }, both)).toMatchObject([{ told: [] }, { told: [] }]);
  });
});

describe('an id of a provider’s account', () => {
  const file = { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] };

  it('is sent on the own credential only', () => {
    expect(planned(file, both)).toMatchObject([{ credential: 'own' }]);
    expect(() => planned(file, { platform: ['keyed'] })).toThrow(
      expect.objectContaining({
        code: 'capability_unsupported',
        param: 'messages[0].content[0].file.file_id',
      }),
    );
  });

  it('refuses nothing where translation leaves it out', () => {
    const one = at({ ...keyed, protocol: 'anthropic' });
    expect(planned(file, { platform: ['keyed'] }, { one })).toHaveLength(1);
  });
});

describe('a value that a model does not take', () => {
  const one = at(keyed, {
    takes: {
      values: { temperature: [1], reasoning_effort: ['low', 'high'], top_k: [] },
      oneOf: [['temperature', 'top_p']],
    },
  });
  const left = (body: object, operation?: Operation) =>
    planned(body, { own: ['keyed'] }, { one, ...(operation && { operation }) })[0];

  it('is left out and told', () => {
    expect(left({ temperature: 0.2 })).toMatchObject({ omit: ['temperature'], told: ['temperature'] });
    expect(left({ reasoning_effort: 'none' })).toMatchObject({ told: ['reasoning_effort'] });
    expect(left({ temperature: 1, top_p: 0.9 })).toMatchObject({ omit: ['top_p'] });
    expect(left({ temperature: 0.2, top_p: 0.9 })).toMatchObject({ omit: ['temperature'] });
  });

  it('is one that the catalog does not list', () => {
    expect(left({ temperature: 1, reasoning_effort: 'low' })).toMatchObject({ omit: [], told: [] });
    expect(left({ temperature: null, top_p: 0.5 })).toMatchObject({ omit: [] });
  });
});
