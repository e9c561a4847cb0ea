import { GatewayError } from '@svc/kernel';
import {
  callFingerprint,
  conversationIn,
  parseCall,
  upstreamBody,
  type Operation,
  type ParsedCall,
} from '@svc/protocol';
import { BuiltThread } from '../testing/built-thread';
import { CallParser } from './call-parser';
import { SecondThread } from '../second-thread/second-thread';
import { SharedThread } from '../second-thread/shared-thread';

const LARGE = 300 * 1024;
const SMALL_CHAT = { model: 'acme/small', messages: [{ role: 'user', content: 'Hello' }] };

let thread: BuiltThread;
let parser: CallParser;
beforeEach(() => {
  thread = new BuiltThread();
  parser = new CallParser(new SharedThread(thread));
});
afterEach(() => thread.close());

const bytesOf = (body: unknown): Buffer =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const grown = (body: object): object => ({ ...body, metadata: { filling: 'x'.repeat(LARGE) } });
const sentUpstream = (call: ParsedCall): string =>
  Buffer.concat(upstreamBody(call, { upstreamModel: 'small-1', maxOutputTokens: 99 })).toString();

describe('a small body', () => {
  it('is parsed at once, without a second thread', async () => {
    const inline = new CallParser(new SharedThread(new SecondThread('/no/such/program.js')));
    expect(await inline.parse('chat_completions', bytesOf(SMALL_CHAT), 'org_1')).toEqual(
      parseCall('chat_completions', bytesOf(SMALL_CHAT)),
    );
  });
});

describe('a large body, on the second thread', () => {
  it('has the same fingerprint as on the main thread, and another than other bodies', async () => {
    const body = bytesOf(grown(SMALL_CHAT));
    const other = bytesOf(grown({ ...SMALL_CHAT, model: 'acme/large' }));
    const there = await Promise.all(
      [body, other].map((bytes) =>
        parser.read('chat_completions', Buffer.from(bytes), { organizationId: 'org_1', fingerprinted: true }),
      ),
    );
    expect(there.map(({ fingerprint }) => Buffer.from(fingerprint!))).toEqual([
      callFingerprint('chat_completions', body),
      callFingerprint('chat_completions', other),
    ]);
    expect(callFingerprint('chat_completions', body)).not.toEqual(callFingerprint('chat_completions', other));
  });

  it('has its headers and extra parameters, in its fingerprint too', async () => {
    const bytes = bytesOf(grown({ ...SMALL_CHAT, min_p: 0.1 }));
    const anthropic = { version: null, betas: ['a', 'b'] };
    const extraParameters = new Set(['min_p']);
    const taking = new CallParser(new SharedThread(thread), () => extraParameters);
    const asked = { organizationId: 'org_1', fingerprinted: true, anthropic };
    const { parsed, fingerprint } = await taking.read('chat_completions', Buffer.from(bytes), asked);
    expect(parsed).toMatchObject({ anthropic, extraParameters: ['min_p'], body: { min_p: 0.1 } });
    expect(Buffer.from(fingerprint!)).toEqual(callFingerprint('chat_completions', bytes, anthropic));
    await expect(parser.read('chat_completions', bytes, asked)).rejects.toMatchObject({ param: 'min_p' });
  });

  it.each<[Operation, object]>([
    [
      'chat_completions',
      { ...SMALL_CHAT, stream: true, stream_options: { include_usage: true }, n: 3, max_output_tokens: 7 },
    ],
    ['chat_completions', { ...SMALL_CHAT, max_completion_tokens: 5, compat_mode: 'strict' }],
    ['messages', { ...SMALL_CHAT, max_tokens: 5, system: 'Be brief.', stream: true }],
  ])('is the same call on %s as one parsed at once', async (operation, body) => {
    const large = grown(body);
    const { body: inlineBody, ...inline } = parseCall(operation, bytesOf(large));
    const {
      body: passedBody,
      conversation,
      ...passed
    } = await parser.parse(operation, bytesOf(large), 'org_1');
    // The messages stay on the second thread, so it also says which conversation they are of.
    expect(conversation).toBe(conversationIn(operation, inlineBody));
    expect({ ...passed, bodyBytes: Buffer.from(passed.bodyBytes) }).toEqual(inline);
    // Large members stay on the second thread; all members that decide something later were copied.
    expect(inlineBody).toMatchObject(passedBody);
    expect(Object.keys(inlineBody).filter((key) => !(key in passedBody))).toEqual(['metadata']);
  });

  it('gives the same upstream body as one parsed at once', async () => {
    const large = grown({ ...SMALL_CHAT, stream: true, stream_options: { include_obfuscation: false } });
    const passed = await parser.parse('chat_completions', bytesOf(large), 'org_1');
    expect(sentUpstream(passed)).toBe(sentUpstream(parseCall('chat_completions', bytesOf(large))));
  });

  it.each([
    ['not JSON', 'x'.repeat(LARGE)],
    ['no object', JSON.stringify(['x'.repeat(LARGE)])],
    ['not UTF-8', Buffer.concat([Buffer.alloc(LARGE, 0xff)])],
    ['without a model', { messages: [{ role: 'user', content: 'x'.repeat(LARGE) }] }],
    ['with a foreign field', { ...grown(SMALL_CHAT), callback_url: 'https://example.com' }],
    ['with a wrong type deep down', { ...grown(SMALL_CHAT), messages: [{ role: 'king', content: '' }] }],
  ])('is refused like one parsed at once when it is %s', async (_, body) => {
    const bytes = Buffer.isBuffer(body) ? body : bytesOf(body);
    const refusalOf = async (parsing: () => ParsedCall | Promise<ParsedCall>): Promise<unknown> => {
      try {
        return await parsing();
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        const { reason, message, param, code } = error;
        return { reason, message, param, code };
      }
    };
    const inline = await refusalOf(() => parseCall('chat_completions', bytes));
    expect(inline).toHaveProperty('reason');
    expect(await refusalOf(() => parser.parse('chat_completions', Buffer.from(bytes), 'org_1'))).toEqual(
      inline,
    );
  });

  it('is not mixed up with others that are parsed at the same time', async () => {
    const models = Array.from({ length: 8 }, (_, at) => `acme/model-${String(at)}`);
    const calls = await Promise.all(
      models.map((model) =>
        parser.parse('chat_completions', bytesOf(grown({ ...SMALL_CHAT, model })), 'org_1'),
      ),
    );
    expect(calls.map(({ model }) => model)).toEqual(models);
  });

  it('that is part of a larger buffer leaves the rest of that buffer alone', async () => {
    const around = Buffer.concat([Buffer.from('before'), bytesOf(grown(SMALL_CHAT)), Buffer.from('after')]);
    const call = await parser.parse('chat_completions', around.subarray(6, -5), 'org_1');
    expect(call.model).toBe('acme/small');
    expect(around.subarray(0, 6).toString()).toBe('before');
    expect(around.subarray(-5).toString()).toBe('after');
  });

  it('whose values take more memory than a job may have is refused, and not tried', async () => {
    const small = new BuiltThread(32);
    const bounded = new CallParser(new SharedThread(small));
    const body = { ...SMALL_CHAT, tools: Array.from({ length: 2_000_000 }, () => ({})) };
    await expect(bounded.parse('chat_completions', bytesOf(body), 'org_1')).rejects.toMatchObject({
      reason: 'invalidRequest',
      definition: { status: 413 },
    });
    const next = await bounded.parse('chat_completions', bytesOf(grown(SMALL_CHAT)), 'org_1');
    expect(next.model).toBe('acme/small');
    await small.close();
  });

  it('fails when its thread dies, and the next one gets a new thread', async () => {
    const dying = new CallParser(new SharedThread(new SecondThread('/no-such-program.js')));
    for (let again = 0; again < 2; again++) {
      await expect(dying.parse('chat_completions', bytesOf(grown(SMALL_CHAT)), 'org_1')).rejects.toThrow(
        'no-such-program',
      );
    }
  });
});
