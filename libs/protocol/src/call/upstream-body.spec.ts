import { encodeUtf8 } from '../json/byte-text';
import { NO_ANTHROPIC_HEADERS } from './anthropic-headers';
import { type Operation } from './operation';
import { parseCall } from './parse-call';
import { upstreamBody } from './upstream-body';

function sent(operation: Operation, fields: string, maxOutputTokens: number | null = null): string {
  const body = `{"model":"acme/small","messages":[{"role":"user","content":"é \\u00e9"}]${fields}}`;
  const pieces = upstreamBody(parseCall(operation, encodeUtf8(body)), {
    upstreamModel: 's-1',
    maxOutputTokens,
  });
  const text = Buffer.concat(pieces).toString();
  const start = '{"model":"s-1","messages":[{"role":"user","content":"é \\u00e9"}]';
  expect(text.startsWith(start)).toBe(true);
  return text.slice(start.length, -1);
}

const labelled = (operation: Operation, fields: string, takesLabels: boolean): string => {
  const call = parseCall(
    operation,
    encodeUtf8(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":5${fields}}`),
  );
  const pieces = upstreamBody(call, { upstreamModel: 's-1', maxOutputTokens: null, takesLabels });
  return JSON.stringify((JSON.parse(Buffer.concat(pieces).toString()) as { metadata?: unknown }).metadata);
};

describe('labels in the body for a provider', () => {
  it.each<[string, Operation, string, string | undefined]>([
    ['are left out of a chat completion', 'chat_completions', '"metadata":{"team":"search"}', undefined],
    [
      'are sent with a stored one',
      'chat_completions',
      '"store":true,"metadata":{"team":"search"}',
      '{"team":"search"}',
    ],
    [
      'are left out beside `user_id` of a message',
      'messages',
      '"metadata":{"team":"search","user_id":"u-1"}',
      '{"user_id":"u-1"}',
    ],
    ['are left out without `user_id`', 'messages', '"metadata":{"team":"search"}', undefined],
    ['are no more than `user_id`', 'messages', '"metadata":{ "user_id": "u-1" }', '{"user_id":"u-1"}'],
    ['are none where it is null', 'messages', '"metadata":null', undefined],
  ])('%s', (_, operation, fields, sentLabels) => {
    expect(labelled(operation, `,${fields}`, false)).toBe(sentLabels);
  });

  it.each<Operation>(['chat_completions', 'messages'])(
    'are sent to an endpoint that takes them on %s',
    (operation) => {
      expect(labelled(operation, ',"metadata":{"team":"search"}', true)).toBe('{"team":"search"}');
    },
  );
});

describe('upstreamBody', () => {
  it.each([
    [
      'keeps numbers and white space as they were written',
      ', "temperature": 1.0',
      null,
      ', "temperature": 1.0',
    ],
    ['removes the service’s own field', ',"compat_mode":"strict","n":1', null, ',"n":1'],
    [
      'writes the limit under the protocol’s name',
      ',"max_output_tokens":7',
      null,
      ',"max_completion_tokens":7',
    ],
    ['keeps the caller’s name of the limit', ',"max_tokens":7', 5, ',"max_tokens":5'],
    [
      'writes the limit under every name that the caller used',
      ',"max_tokens":7,"max_completion_tokens":7',
      5,
      ',"max_tokens":5,"max_completion_tokens":5',
    ],
    ['replaces a null limit', ',"max_tokens":null', 5, ',"max_tokens":5'],
    ['leaves out what is null', ',"max_tokens":null,"tools":null,"n":1', null, ',"n":1'],
    [
      'drops the service’s name of the limit beside the protocol’s',
      ',"max_output_tokens":7,"max_tokens":7',
      null,
      ',"max_tokens":7',
    ],
    ['prefers the limit that the hold covers', ',"max_output_tokens":7', 5, ',"max_completion_tokens":5'],
    ['ignores a null of its own name', ',"max_output_tokens":null', null, ''],
    [
      'asks a stream for usage',
      ',"stream":true',
      null,
      ',"stream":true,"stream_options":{"include_usage":true}',
    ],
    [
      'asks a stream for usage beside its other options',
      ',"stream":true,"stream_options":{"include_obfuscation":false,"include_usage":false}',
      null,
      ',"stream":true,"stream_options":{"include_obfuscation":false,"include_usage":true}',
    ],
    [
      'asks a stream for usage where the options are null',
      ',"stream_options":null,"stream":true',
      null,
      ',"stream_options":{"include_usage":true},"stream":true',
    ],
    ['asks nothing of a plain call', ',"stream":false', null, ',"stream":false'],
  ])('%s', (_, fields, limit, expected) => {
    expect(sent('chat_completions', fields, limit)).toBe(expected);
  });

  it('writes the limit of messages as max_tokens and asks its stream for nothing', () => {
    expect(sent('messages', ',"max_output_tokens":7,"stream":true')).toBe(',"stream":true,"max_tokens":7');
    expect(sent('messages', ',"max_tokens":7', 3)).toBe(',"max_tokens":3');
  });

  it('leaves out unsupported parameters, wherever they stand', () => {
    const body =
      '{"seed":1,"model":"a/b","top_p":1.0,"messages":[{"role":"user","content":""}],"stop":["x"]}';
    const call = parseCall('chat_completions', encodeUtf8(body));
    const target = { upstreamModel: 's-1', maxOutputTokens: null, omit: ['seed', 'stop', 'logprobs'] };
    expect(Buffer.concat(upstreamBody(call, target)).toString()).toBe(
      '{"model":"s-1","top_p":1.0,"messages":[{"role":"user","content":""}]}',
    );
  });

  it('escapes the provider’s name of the model', () => {
    const call = parseCall(
      'messages',
      encodeUtf8('{"model":"a","max_tokens":1,"messages":[{"role":"user","content":""}]}'),
    );
    const pieces = upstreamBody(call, { upstreamModel: 'x"y', maxOutputTokens: null });
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ model: 'x"y' });
  });
});

describe('an extra parameter', () => {
  const context = { anthropic: NO_ANTHROPIC_HEADERS, extraParameters: new Set(['min_p', 'top_k']) };
  const body = '{"model":"a/b","min_p":0.10,"top_k":null,"messages":[{"role":"user","content":"Hi"}]}';
  const target = { upstreamModel: 's-1', maxOutputTokens: null };
  const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString();

  it('is sent as it was written, but not null', () => {
    const call = parseCall('chat_completions', encodeUtf8(body), context);
    expect(textOf(upstreamBody(call, target))).toBe(
      '{"model":"s-1","min_p":0.10,"messages":[{"role":"user","content":"Hi"}]}',
    );
  });

  it('is left out where the endpoint does not take it', () => {
    const call = parseCall('chat_completions', encodeUtf8(body), context);
    expect(textOf(upstreamBody(call, { ...target, omit: ['min_p'] }))).not.toContain('min_p');
  });
});

describe('the limit and the options of a stream', () => {
  const values = { max_completion_tokens: [], stream_options: [] };
  const sentTo = (
    fields: string,
    taken: Readonly<Record<string, readonly unknown[]>>,
    maxOutputTokens: number | null = null,
  ) => {
    const bytes = encodeUtf8(`{"model":"m","messages":[{"role":"user","content":"Hi"}]${fields}}`);
    const takes = { values: taken, oneOf: [] };
    const pieces = upstreamBody(parseCall('chat_completions', bytes), {
      upstreamModel: 's',
      maxOutputTokens,
      takes,
    });
    const {
      model: _model,
      messages: _messages,
      ...rest
    } = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
    return rest;
  };

  it.each<[string, number | null, object]>([
    [',"max_completion_tokens":50', null, { max_tokens: 50 }],
    [',"max_completion_tokens":50', 40, { max_tokens: 40 }],
    [',"max_output_tokens":50', null, { max_tokens: 50 }],
    [',"max_tokens":50', null, { max_tokens: 50 }],
    [',"max_tokens":50,"max_completion_tokens":50', null, { max_tokens: 50 }],
    ['', 40, { max_tokens: 40 }],
    ['', null, {}],
    [',"stream":true', null, { stream: true }],
    [',"stream":true,"stream_options":{"include_usage":true}', null, { stream: true }],
  ])(
    '%s with a hold for %s tokens goes out as %j where the current names are not taken',
    (fields, limit, sent) => {
      expect(sentTo(fields, values, limit)).toEqual(sent);
    },
  );

  it.each([',"max_tokens":50', ',"max_tokens":50,"max_completion_tokens":50'])(
    '%s goes out under the current name where the former is not taken',
    (fields) => {
      expect(sentTo(fields, { max_tokens: [] })).toEqual({ max_completion_tokens: 50 });
    },
  );
});
