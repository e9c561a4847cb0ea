import {
  callFingerprint,
  countBody,
  parseCall,
  promptText,
  translateCall,
  untranslatable,
  upstreamBody,
  type CallRoute,
} from '../src';

/** A container nested in itself around an innermost value, at a place of a body. */
interface Nest {
  readonly open: string;
  readonly innermost: string;
  readonly close: string;
  readonly around: (nested: string) => string;
}

const message = (role: string) => (content: string) =>
  `"messages":[{"role":"${role}","content":${content}},{"role":"user","content":"Hi"}]`;
const asked = '"messages":[{"role":"user","content":"Hi"}]';
const lists = { open: '[', innermost: '', close: ']' };
const properties = { open: '{"type":"object","properties":{"a":', innermost: '{}', close: '}}' };

const everywhere: Readonly<Record<string, Nest>> = {
  'lists as content': { ...lists, around: message('user') },
  'lists as metadata': { ...lists, around: (nested) => `${asked},"metadata":{"a":${nested}}` },
  'blocks of blocks': {
    open: '[{"type":"tool_result","tool_use_id":"a","content":',
    innermost: '"Hi"',
    close: '}]',
    around: message('user'),
  },
  'documents in documents': {
    open: '[{"type":"document","source":{"type":"content","content":',
    innermost: '"Hi"',
    close: '}}]',
    around: message('user'),
  },
};

const inChat: Readonly<Record<string, Nest>> = {
  ...everywhere,
  'a tool’s parameters': {
    ...properties,
    around: (nested) =>
      `${asked},"tools":[{"type":"function","function":{"name":"a","parameters":${nested}}}]`,
  },
  'the schema of an answer': {
    ...properties,
    around: (nested) =>
      `${asked},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${nested}}}`,
  },
};

const inMessages: Readonly<Record<string, Nest>> = {
  ...everywhere,
  'a tool’s parameters': {
    ...properties,
    around: (nested) => `${asked},"tools":[{"name":"a","input_schema":${nested}}]`,
  },
  'the schema of an answer': {
    ...properties,
    around: (nested) => `${asked},"output_config":{"format":{"type":"json_schema","schema":${nested}}}`,
  },
  'a tool’s input': {
    open: '{"a":',
    innermost: '1',
    close: '}',
    around: (nested) =>
      message('assistant')(`[{"type":"tool_use","id":"a","name":"a","input":{"a":${nested}}}]`),
  },
};

const cases: readonly (readonly [CallRoute, string, Nest])[] = [
  ...Object.entries(inChat).map(([name, nest]) => ['chat_completions', name, nest] as const),
  ...Object.entries(inMessages).flatMap(([name, nest]) => [
    ['messages', name, nest] as const,
    ['count_tokens', name, nest] as const,
  ]),
];

const bodyOf = (route: CallRoute, { open, innermost, close, around }: Nest, times: number): Buffer => {
  const limit = route === 'messages' ? ',"max_tokens":9' : '';
  const nested = open.repeat(times) + innermost + close.repeat(times);
  return Buffer.from(`{"model":"a/b"${limit},${around(nested)}}`);
};
const refusal = expect.objectContaining({
  reason: 'invalidRequest',
  message: 'The body is nested deeper than 1000 levels.',
}) as Error;

/** The deepest nesting that is accepted. */
function deepest(route: CallRoute, nest: Nest): number {
  for (let times = 1000; ; times--) {
    try {
      parseCall(route, bodyOf(route, nest, times));
      return times;
    } catch (thrown) {
      expect(thrown).toEqual(refusal);
    }
  }
}

describe.each(cases)('a body for %s that nests %s', (route, _, nest) => {
  it('is refused at 100 000 levels, complete or not', () => {
    const body = bodyOf(route, nest, 100_000);
    expect(() => parseCall(route, body)).toThrow(refusal);
    expect(() => parseCall(route, body.subarray(0, body.length / 2))).toThrow(refusal);
  });

  it('is parsed, fingerprinted, counted, forwarded and translated at the deepest accepted nesting', () => {
    const times = deepest(route, nest);
    expect(times).toBeGreaterThan(300);
    const body = bodyOf(route, nest, times);
    const call = parseCall(route, body);
    const target = { upstreamModel: 'm-1', maxOutputTokens: 9 };
    expect(callFingerprint(call.operation, body)).toHaveLength(32);
    expect(promptText(call.operation, call.body).texts).not.toEqual([]);
    expect(upstreamBody(call, target)).not.toEqual([]);
    expect(countBody(call, 'm-1')).not.toEqual([]);
    expect(untranslatable(call, target)).toEqual(translateCall(call, target).losses);
    expect(structuredClone(call)).toHaveProperty('model', 'a/b');
  });
});
