import { type Model, type ModelEndpoint } from '@svc/catalog';
import {
  parseCall,
  rewriteCall,
  translateCall,
  untranslatable,
  type Operation,
  type ParsedCall,
} from '@svc/protocol';
import { CallParser } from '../parsing/call-parser';
import { SecondThread } from '../second-thread/second-thread';
import { SharedThread } from '../second-thread/shared-thread';
import { BuiltThread } from '../testing/built-thread';
import { CallTranslator } from './call-translator';

const LARGE = 300 * 1024;
const HI = { model: 'acme/small', max_tokens: 9, messages: [{ role: 'user', name: 'Anna', content: 'Hi' }] };

let thread: BuiltThread;
let shared: SharedThread;
let translator: CallTranslator;
beforeEach(() => {
  thread = new BuiltThread();
  shared = new SharedThread(thread);
  translator = new CallTranslator(shared);
});
afterEach(() => thread.close());

const endpointOf = (protocol: 'openai' | 'anthropic', upstreamModel: string): ModelEndpoint =>
  ({ provider: { protocol }, upstreamModel }) as ModelEndpoint;
const ENDPOINTS = [
  endpointOf('anthropic', 'claude-sonnet-4-5'),
  endpointOf('anthropic', 'claude-next'),
  endpointOf('openai', 'small-1'),
] as const;
const MODEL = { maxOutputTokens: 8_192, endpoints: ENDPOINTS } as unknown as Model;
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));
const asked = (more: object = {}) => ({ ...HI, seed: 1, reasoning_effort: 'high', ...more });
const large = (more: object = {}) =>
  asked({ messages: [...HI.messages, { role: 'user', content: 'x'.repeat(LARGE) }], ...more });
/** A call as the second thread returns it: without its large members. */
const parsedApart = (body: object, operation: Operation = 'chat_completions'): Promise<ParsedCall> =>
  new CallParser(shared).parse(operation, bytesOf(body), 'org_1');

describe('a small call', () => {
  it('is translated at once, without a second thread', async () => {
    const inline = new CallTranslator(new SharedThread(new SecondThread('/no/such/program.js')));
    const call = parseCall('chat_completions', bytesOf(asked()));
    const target = { upstreamModel: 'claude-next', maxOutputTokens: 9 };
    expect(await inline.translate(call, target, 'org_1')).toEqual(translateCall(call, target).body);
    const lossesAt = await inline.lossesAt(call, MODEL, 'org_1');
    expect(lossesAt(ENDPOINTS[1])).toEqual(untranslatable(call, target));
  });
});

describe('a large call', () => {
  it.each<[Operation, object, object]>([
    ['chat_completions', large(), { upstreamModel: 'claude-next', maxOutputTokens: 9, omit: ['seed'] }],
    [
      'messages',
      { ...HI, top_k: 3, system: 'x'.repeat(LARGE) },
      { upstreamModel: 'small-1', maxOutputTokens: 7 },
    ],
    ...(['responses', 'chat_completions', 'messages'] as const).map((spoken): [Operation, object, object] => [
      'responses',
      {
        model: HI.model,
        input: 'x'.repeat(LARGE),
        store: true,
        tools: [{ type: 'mcp' }, { type: 'web_search' }],
      },
      { operation: spoken, upstreamModel: 'gpt-6', maxOutputTokens: 7, builtInTools: new Set(['mcp']) },
    ]),
  ])('of %s becomes the body that it would become here', async (operation, body, target) => {
    const call = await parsedApart(body, operation);
    const whole = parseCall(operation, bytesOf(body));
    const here = translateCall(whole, target as never).body;
    const apart = await translator.translate(call, target as never, 'org_1');
    expect(Buffer.concat(apart).equals(Buffer.concat(here))).toBe(true);
    // Again: an earlier attempt takes nothing from a later one.
    expect(
      Buffer.concat(await translator.translate(call, target as never, 'org_1')).equals(Buffer.concat(here)),
    ).toBe(true);
  });

  it('of an endpoint’s own protocol changes as it would change here', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const body = large({ tools });
    const target = { operation: 'chat_completions', upstreamModel: 'small-1', maxOutputTokens: 9 } as const;
    const edits = [['model', '"small-1"']] as const;
    const here = rewriteCall(parseCall('chat_completions', bytesOf(body)), target, edits);
    const call = await parsedApart(body);
    expect(call.needsRewriting).toBe(true);
    const apart = await translator.rewrite(call, { target, edits }, 'org_1');
    expect(Buffer.concat(apart).equals(Buffer.concat(here))).toBe(true);
    expect(Buffer.concat(apart).includes('{"type":"object","properties":{}}')).toBe(true);
  });

  it('that becomes a small one does too', async () => {
    const call = await parsedApart(asked({ metadata: { filling: 'x'.repeat(LARGE) } }));
    const [body] = await translator.translate(
      call,
      { upstreamModel: 'claude-next', maxOutputTokens: 9 },
      'org_1',
    );
    expect(JSON.parse(Buffer.from(body!).toString())).toMatchObject({ model: 'claude-next', max_tokens: 9 });
  });

  it('loses at each endpoint the same as on the main thread', async () => {
    const call = await parsedApart(large());
    const whole = parseCall('chat_completions', bytesOf(large()));
    const lossesAt = await translator.lossesAt(call, MODEL, 'org_1');
    for (const endpoint of ENDPOINTS.slice(0, 2)) {
      const { upstreamModel } = endpoint;
      expect(lossesAt(endpoint)).toEqual(untranslatable(whole, { upstreamModel, maxOutputTokens: 9 }));
    }
    expect(lossesAt(ENDPOINTS[0])).not.toEqual(lossesAt(ENDPOINTS[1]));
    expect(lossesAt(ENDPOINTS[1]).map(({ param }) => param)).toEqual(['seed', 'messages[0].name']);
  });

  it('loses only at the endpoints that do not take its extra parameters', async () => {
    const call = await parsedApart({ ...large(), seed: 1 });
    const [first] = ENDPOINTS;
    const taking = { ...first, extraParameters: new Set(['seed']) };
    const model = { ...MODEL, endpoints: [first, taking] };
    const lossesAt = await translator.lossesAt(call, model, 'org_1');
    const lost = (endpoint: ModelEndpoint) => lossesAt(endpoint).map(({ param }) => param);
    expect(lost(first)).toContain('seed');
    expect(lost(taking)).not.toContain('seed');
  });

  it('that an endpoint of its own protocol is not sent as it is loses there too', async () => {
    const body = { model: HI.model, input: 'x'.repeat(LARGE), tools: [{ type: 'web_search' }] };
    const call = await parsedApart(body, 'responses');
    const listed = { operations: new Set(['responses']), provider: { protocol: 'openai' } };
    const plain = { ...listed, upstreamModel: 'gpt-6' } as unknown as ModelEndpoint;
    const searching = { ...plain, builtInTools: new Set(['web_search']) };
    const model = { ...MODEL, endpoints: [plain, searching] };
    const lossesAt = await translator.lossesAt(call, model, 'org_1');
    expect(lossesAt(plain).map(({ param }) => param)).toEqual(['tools[0]']);
    expect(lossesAt(searching)).toEqual([]);
  });

  it('whose model no other protocol serves costs the second thread nothing', async () => {
    const inline = new CallTranslator(new SharedThread(new SecondThread('/no/such/program.js')));
    const native = { ...MODEL, endpoints: [ENDPOINTS[2]] } as unknown as Model;
    const lossesAt = await inline.lossesAt(parseCall('chat_completions', bytesOf(large())), native, 'org_1');
    expect(lossesAt(ENDPOINTS[2])).toEqual([]);
  });

  it('is translated on the second thread alone: without one it fails', async () => {
    const call = await parsedApart(large());
    const alone = new CallTranslator(new SharedThread(new SecondThread('/no/such/program.js')));
    await expect(alone.lossesAt(call, MODEL, 'org_1')).rejects.toThrow('no/such/program');
    await expect(
      alone.translate(call, { upstreamModel: 'claude-next', maxOutputTokens: 9 }, 'org_1'),
    ).rejects.toThrow('no/such/program');
  });
});
