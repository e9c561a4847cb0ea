import { type Body } from '../vendor-rules';
import { vendors, type VendorName } from './vendors';

const user = { role: 'user', content: 'Hello' };
const call = { model: 'm', messages: [user] };
const callOf = (id: string) => ({ id, type: 'function', function: { name: 'get_weather', arguments: '{}' } });
const called = (more: Body = {}, id = 'call_1') => ({
  ...call,
  messages: [
    user,
    { role: 'assistant', content: null, tool_calls: [callOf(id)], ...more },
    { role: 'tool', tool_call_id: id, content: 'Sunny' },
  ],
});
const tool = (definition: Body) => ({ ...call, tools: [{ type: 'function', function: definition }] });
const parameters = { type: 'object', properties: {} };
const said = (...messages: readonly Body[]) => ({ ...call, messages: [user, ...messages] });
const format = { type: 'json_schema', json_schema: { name: 'city', schema: parameters } };
const developer = { role: 'developer', content: 'Be brief.' };
const named = { ...user, name: 'Ann' };
const reasoning = { reasoning_content: 'Hm.' };

/** A body that keeps a rule, beside one that breaks it, and the words for it. */
type Rule = readonly [keeps: Body, breaks: Body, words: RegExp];

const rules: Readonly<Record<Exclude<VendorName, 'openai' | 'anthropic'>, readonly Rule[]>> = {
  google: [
    [{ ...call, temperature: 0.5 }, { ...call, store: false }, /Unknown name "store": Cannot find field\.$/],
    ...[
      'frequency_penalty',
      'presence_penalty',
      'seed',
      'metadata',
      'prompt_cache_key',
      'top_k',
      'reasoning',
    ].map((name): Rule => [call, { ...call, [name]: 1 }, new RegExp(`Unknown name "${name}"`)]),
    [{ ...call, reasoning_effort: 'low' }, { ...call, reasoning_effort: 'max' }, /reasoning_effort/],
    [tool({ name: 'get.weather' }), tool({ name: '3d' }), /Invalid function name/],
    [
      said({ role: 'system', content: 'Be brief.' }),
      { ...call, messages: [developer] },
      /contents is not specified/,
    ],
    [called(), said({ role: 'user', content: '' }), /contents\.parts must not be empty/],
    [called(), said({ role: 'user', content: [{ type: 'text', text: '' }] }), /must not be empty/],
  ],
  mistral: [
    [
      { ...call, max_tokens: 5 },
      { ...call, max_completion_tokens: 5 },
      /^body\.max_completion_tokens: Extra inputs/,
    ],
    [{ ...call, stream: true }, { ...call, stream: true, stream_options: {} }, /^body\.stream_options/],
    [{ ...call, random_seed: 5 }, { ...call, seed: 5 }, /^body\.seed/],
    [said({ role: 'system', content: 'Be brief.' }), said(developer), /Input tag 'developer'/],
    [said(user), said(named), /^body\.messages\.1\.user\.name: Extra inputs/],
    [
      called({}, 'abcdEF123'),
      called(reasoning, 'abcdEF123'),
      /^body\.messages\.1\.assistant\.reasoning_content/,
    ],
    [called({}, 'abcdEF123'), called(), /^Tool call id was call_1 but must be/],
    [
      said({ role: 'system', content: 'Be brief.' }),
      said({ role: 'assistant', content: 'Hi' }, { role: 'system', content: 'Be brief.' }, user),
      /^Unexpected role 'system' after role 'assistant'/,
    ],
    [
      said({ role: 'assistant', content: 'Hi', prefix: true }),
      said({ role: 'assistant', content: 'Hi' }),
      /^Expected last role User or Tool/,
    ],
    [tool({ name: 'f', parameters }), tool({ name: 'f' }), /parameters: Field required$/],
    [
      tool({ name: 'f', parameters, strict: true }),
      tool({ name: 'f', parameters, cache: 1 }),
      /function\.cache: Extra/,
    ],
    [{ ...call, reasoning_effort: 'high' }, { ...call, reasoning_effort: 'low' }, /^body\.reasoning_effort/],
    [{ ...call, temperature: 1.5 }, { ...call, temperature: 1.6 }, /^body\.temperature/],
  ],
  groq: [
    [
      { ...call, user: 'u-1' },
      { ...call, prompt_cache_key: 'k' },
      /^property 'prompt_cache_key' is unsupported$/,
    ],
    ...['logprobs', 'logit_bias', 'top_logprobs'].map((name): Rule => [
      call,
      { ...call, [name]: 1 },
      new RegExp(`^property '${name}' is unsupported`),
    ]),
    [{ ...call, n: 1 }, { ...call, n: 2 }, /'n'/],
    [said(user), said(named), /^'messages\.1' : for 'role:user' .* property 'name' is unsupported/],
    [called({ reasoning: 'Hm.' }), called(reasoning), /property 'reasoning_content' is unsupported/],
    [{ ...call, service_tier: 'auto' }, { ...call, service_tier: 'default' }, /service_tier/],
    [tool({ name: 'f' }), tool({ name: 'x'.repeat(65) }), /string length/],
    [{ ...call, stop: ['a'] }, { ...call, stop: ['a', 'b', 'c', 'd', 'e'] }, /stop must be at most 4/],
    [{ ...call, temperature: 2 }, { ...call, temperature: 2.1 }, /temperature must be at most 2/],
    [
      tool({ name: 'f' }),
      { ...call, tools: Array(129).fill({ type: 'function' }) },
      /tools must be at most 128/,
    ],
  ],
  deepseek: [
    [
      said({ role: 'system', content: 'Be brief.' }),
      said(developer),
      /messages\[1\]\.role: unknown variant `developer`/,
    ],
    [called(reasoning), called(), /`reasoning_content` in the thinking mode must be passed back/],
    [
      { ...call, tool_choice: 'auto' },
      { ...call, tool_choice: 'required' },
      /does not support this tool_choice/,
    ],
    [
      { ...call, response_format: { type: 'json_object' } },
      { ...call, response_format: format },
      /response_format type/,
    ],
    [{ ...call, stop: ['a'] }, { ...call, stop: Array(17).fill('a') }, /stop must be at most 16/],
    [{ ...call, temperature: 2 }, { ...call, temperature: 2.1 }, /temperature/],
    [
      { ...call, logprobs: true, top_logprobs: 20 },
      { ...call, logprobs: true, top_logprobs: 21 },
      /top_logprobs/,
    ],
    [{ ...call, logprobs: true, top_logprobs: 2 }, { ...call, top_logprobs: 2 }, /requires logprobs/],
  ],
  moonshotai: [
    [said({ role: 'system', content: 'Be brief.' }), said(developer), /invalid role developer/],
    [said(user), said({ role: 'assistant', content: '' }), /text content is empty/],
    [
      tool({ name: 'get_weather', parameters }),
      tool({ name: '3d_view', parameters }),
      /function name is invalid/,
    ],
    [tool({ name: 'now', parameters }), tool({ name: 'ls', parameters }), /function name is invalid/],
    [tool({ name: 'now', parameters }), tool({ name: 'now' }), /parameters is required/],
    [{ ...call, temperature: 1 }, { ...call, temperature: 0.5 }, /^invalid temperature: only 1 is allowed/],
    [{ ...call, top_p: 0.95 }, { ...call, top_p: 1 }, /^invalid top_p/],
    [{ ...call, n: 1 }, { ...call, n: 2 }, /^invalid n/],
    [{ ...call, presence_penalty: 0 }, { ...call, presence_penalty: 1 }, /^invalid presence_penalty/],
    [{ ...call, frequency_penalty: 0 }, { ...call, frequency_penalty: 1 }, /^invalid frequency_penalty/],
    [
      { ...call, tool_choice: 'none' },
      { ...call, tool_choice: {} },
      /tool_choice 'specified' is incompatible/,
    ],
    [called(reasoning), called(), /reasoning_content is missing in assistant tool call message at index 1/],
    [{ ...call, stop: ['a'] }, { ...call, stop: Array(6).fill('a') }, /stop must be at most 5/],
    [{ ...call, stop: 'a'.repeat(32) }, { ...call, stop: 'ä'.repeat(17) }, /must not exceed 32 bytes/],
    [call, { ...call, tools: Array(129).fill({ type: 'function' }) }, /tools must be at most 128/],
  ],
  xai: [
    [{ ...call, user: 'u-1' }, { ...call, stop: ['a'] }, /^Argument not supported on this model: stop$/],
    [call, { ...call, presence_penalty: 0 }, /not supported on this model: presencePenalty$/],
    [call, { ...call, frequency_penalty: 0 }, /not supported on this model: frequencyPenalty$/],
    [call, { ...call, logit_bias: {} }, /^Argument not supported: logitBias$/],
    [said({ role: 'system', content: 'Be brief.' }), said(developer), /unknown variant `developer`/],
    [tool({ name: 'f', parameters }), tool({ name: 'f' }), /missing field `parameters`/],
    [{ ...call, temperature: 2 }, { ...call, temperature: 2.1 }, /temperature/],
    [
      { ...call, logprobs: true, top_logprobs: 8 },
      { ...call, logprobs: true, top_logprobs: 9 },
      /top_logprobs/,
    ],
    [call, { ...call, tools: Array(129).fill({ type: 'function' }) }, /tools must be at most 128/],
  ],
};

const headers = { authorization: 'Bearer sk-1' };
const path = '/chat/completions';

describe.each(Object.entries(rules))('the rules of %s', (name, own) => {
  const { [name as keyof typeof rules]: vendor } = vendors;

  it.each(own)('take %j and refuse %j', (keeps, breaks, words) => {
    expect(vendor.refuse({ path, headers, body: keeps })).toBeNull();
    const refused = vendor.refuse({ path, headers, body: breaks });
    expect(refused?.message).toMatch(words);
    expect(refused?.status).toBe(name === 'mistral' ? 422 : 400);
    expect(JSON.stringify(refused && vendor.errorBody(refused))).toContain(
      JSON.stringify(refused?.message.replace(/^body\.\S+: /, '')).slice(1, -1),
    );
  });

  it('want a key and a known path', () => {
    expect(vendor.refuse({ path, headers: {}, body: call })?.status).toBe(401);
    expect(vendor.refuse({ path: '/complete', headers, body: call })?.status).toBe(404);
  });
});

describe('the rules of mistral for embeddings', () => {
  const { mistral } = vendors;
  const embeds = { model: 'm', input: ['Hi'] };

  it.each<Rule>([
    [
      { ...embeds, encoding_format: 'base64' },
      { ...embeds, dimensions: 8 },
      /^body\.dimensions: Extra inputs/,
    ],
    [embeds, { ...embeds, user: 'u-1' }, /^body\.user: Extra inputs/],
    [{ ...embeds, input: 'Hi' }, { ...embeds, input: [1, 2] }, /^body\.input\.0: Input should be/],
    [embeds, { ...embeds, input: [[1, 2]] }, /^body\.input\.0: Input should be/],
    [embeds, { ...embeds, encoding_format: 'hex' }, /^body\.encoding_format/],
  ])('take %j and refuse %j', (keeps, breaks, words) => {
    expect(mistral.refuse({ path: '/embeddings', headers, body: keeps })).toBeNull();
    const refused = mistral.refuse({ path: '/embeddings', headers, body: breaks });
    expect(refused).toMatchObject({ status: 422, message: expect.stringMatching(words) });
  });
});

it('a stream of Mistral reports usage unasked', () => {
  const { mistral } = vendors;
  expect(mistral.asked({ ...call, stream: true })).toMatchObject({ stream_options: { include_usage: true } });
  expect(mistral.asked(call)).toBe(call);
});
