import fc from 'fast-check';
import { seedOfThisRun } from '@svc/testing';
import { post, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;
const valid = { model: 'simulator/echo', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] };
const validText = JSON.stringify(valid);
const utf8 = (text: string) => Buffer.from(text, 'utf8');

describe.each(ROUTES)('bad input to %s', (route) => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });
  afterEach(async () => {
    expect((await fetch(`${svc.baseUrl}/healthz`)).status).toBe(200);
  });

  /** Sends a body; expects the envelope with this status, without internal details. */
  async function refused(
    body: string | Uint8Array | ReadableStream | object,
    status = 400,
    headers: Record<string, string> = {},
  ): Promise<ErrorBody['error']> {
    const response = await post(svc, route, body, { headers });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status });
    return envelopeOf(text, response.headers);
  }

  it.each([
    ['an empty body', ''],
    ['white space', ' \n\t'],
    ['broken JSON', '{"model": "simulator/echo", "messages": ['],
    ['JSON and then more', `${validText}{}`],
    ['a trailing comma', '{"model":"simulator/echo",}'],
    ['single quotes', "{'model':'simulator/echo'}"],
    ['NaN', '{"model":"simulator/echo","max_tokens":NaN}'],
    ['an array', '[]'],
    ['a list of bodies', `[${validText}]`],
    ['null', 'null'],
    ['a number', '42'],
    ['a string', '"hello"'],
    ['an empty object', '{}'],
    ['a raw control character in a string', '{"model":"simulator/echo\u0001"}'],
    ['HTML', '<html></html>'],
    ['a form', 'model=simulator%2Fecho'],
  ])('refuses %s', async (_, body) => {
    expect(await refused(body)).toMatchObject({
      type: 'invalid_request',
      code: 'invalid_request',
      retriable: false,
    });
  });

  it.each([
    ['bytes that are no UTF-8', Buffer.concat([utf8('{"model":"'), Buffer.from([0xff, 0xfe]), utf8('"}')])],
    ['a cut UTF-8 sequence', Buffer.concat([utf8(validText.slice(0, -4)), Buffer.from([0xe2, 0x82])])],
    ['an overlong encoding', Buffer.concat([utf8('{"model":"'), Buffer.from([0xc0, 0xaf]), utf8('"}')])],
    [
      'a surrogate in UTF-8',
      Buffer.concat([utf8('{"model":"'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"}')]),
    ],
    ['UTF-16', Buffer.from(`\ufeff${validText}`, 'utf16le')],
    ['nothing but NUL bytes', Buffer.alloc(1000)],
    ['gzip', Buffer.from('1f8b0800000000000003abae0500430bcdb6', 'hex')],
  ])('refuses %s', async (_, body) => {
    expect(await refused(body)).toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['model', { model: 42 }],
    ['model', { model: '' }],
    ['model', { model: null }],
    ['messages', { messages: 'Hello' }],
    ['messages', { messages: [] }],
    ['messages', { messages: null }],
    ['messages[0]', { messages: ['Hello'] }],
    ['messages[0]', { messages: [null] }],
    ['messages[0].role', { messages: [{ content: 'Hello' }] }],
    ['messages[0].role', { messages: [{ role: 7, content: 'Hello' }] }],
    ['messages[1].role', { messages: [valid.messages[0], { role: '__proto__', content: 'Hello' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 42 }] }],
    ['max_tokens', { max_tokens: '20' }],
    ['max_tokens', { max_tokens: -1 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['stream', { stream: 'true' }],
    ['tools', { tools: {} }],
    ['temperature', { temperature: 'hot' }],
    ['compat_mode', { compat_mode: 'loose' }],
  ])('names %s by its path when its type is wrong', async (param, change) => {
    expect(await refused({ ...valid, ...change })).toMatchObject({ code: 'invalid_request', param });
  });

  it('refuses a number outside the range of a double', async () => {
    const body = validText.replace('"max_tokens":20', '"max_tokens":1e400');
    expect(await refused(body)).toMatchObject({ code: 'invalid_request', param: 'max_tokens' });
  });

  it.each([
    'callback_url',
    'previous_job_id',
    'voice',
    'provider',
    'route',
    'Model',
    'constructor',
    'hasOwnProperty',
  ])('refuses the field `%s`, which the route does not list', async (param) => {
    const body = `{"${param}":{"a":1},${validText.slice(1)}`;
    expect(await refused(body)).toMatchObject({ code: 'unsupported_parameter', param });
  });

  it('refuses `__proto__` as a field like any other, and pollutes nothing', async () => {
    const body = `{"__proto__":{"stream":true,"model":"x"},${validText.slice(1)}`;
    expect(await refused(body)).toMatchObject({ code: 'unsupported_parameter', param: '__proto__' });
    const response = await post(svc, route, validText);
    expect(response.headers.get('content-type')).toMatch(/json/);
    expect(response.status).toBe(200);
  });

  it('refuses a field that comes twice, which two parsers could read differently', async () => {
    expect(await refused(`{"model":"simulator/none",${validText.slice(1)}`)).toMatchObject({
      param: 'model',
    });
  });

  it('survives 100,000 nested arrays', async () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    await refused(nested);
    await refused(`{"model":${nested}}`);
    const response = await post(svc, route, `${validText.slice(0, -1)},"metadata":${nested}}`);
    expect(response.status).toBeLessThan(500);
  });

  it('does not echo a very long value', async () => {
    const long = 'x'.repeat(1_000_000);
    const asModel = await refused(JSON.stringify({ ...valid, model: long }), 404);
    const asField = await refused(JSON.stringify({ ...valid, [long]: 1 }));
    const asRole = await refused(JSON.stringify({ ...valid, messages: [{ role: long, content: '' }] }));
    for (const { message, param = '' } of [asModel, asField, asRole])
      expect(message.length + param.length).toBeLessThan(2000);
  });

  it('forwards what is odd but valid: NUL, lone surrogates, another content type, chunks', async () => {
    const odd = (content: string) => JSON.stringify({ ...valid, messages: [{ role: 'user', content }] });
    const bodies = [odd('\u0000'), odd('\ud800'), odd('é€😀'), `\n ${validText}\t`];
    for (const body of bodies) expect((await post(svc, route, body)).status).toBe(200);
    const plain = await post(svc, route, validText, { headers: { 'content-type': 'text/plain' } });
    expect([200, 400]).toContain(plain.status);
    if (plain.status === 400) envelopeOf(await plain.text(), plain.headers);
    const pieces = ReadableStream.from(Array.from(validText, (letter) => utf8(letter)));
    expect((await post(svc, route, pieces)).status).toBe(200);
  });

  it('answers any mutation of a valid body with an answer or the envelope', async () => {
    const bytes = utf8(validText);
    const mutation = fc.record({
      at: fc.nat(bytes.length - 1),
      removed: fc.nat(6),
      inserted: fc.uint8Array({ maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
        let body: Uint8Array = bytes;
        for (const { at, removed, inserted } of mutations)
          body = Buffer.concat([body.subarray(0, at), inserted, body.subarray(at + removed)]);
        const response = await post(svc, route, body);
        const text = await response.text();
        if (response.status !== 200) envelopeOf(text, response.headers);
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 250, seed: seedOfThisRun },
    );
  });
});

/** Checks the envelope: complete, with its header, and without internal details. @returns its error. */
function envelopeOf(text: string, headers: Headers): ErrorBody['error'] {
  const { error } = JSON.parse(text) as ErrorBody;
  expect(error).toEqual({
    type: expect.any(String),
    message: expect.any(String),
    code: expect.any(String),
    ...(error.param === undefined ? {} : { param: expect.any(String) }),
    request_id: headers.get('x-request-id'),
    retriable: expect.any(Boolean),
  });
  expect(text).not.toMatch(/ at .+:\d+:\d+|node_modules|\/dist\/|SyntaxError|TypeError|stack/);
  return error;
}
