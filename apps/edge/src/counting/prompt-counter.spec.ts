import { GatewayError } from '@svc/kernel';
import { CallParser } from '../parsing/call-parser';
import { SharedThread } from '../second-thread/shared-thread';
import { BuiltThread } from '../testing/built-thread';
import { PromptCounter } from './prompt-counter';

const WINDOW = 1_000_000;

let thread: BuiltThread;
let shared: SharedThread;
let counter: PromptCounter;
beforeEach(() => {
  thread = new BuiltThread();
  shared = new SharedThread(thread);
  counter = new PromptCounter(shared);
});
afterEach(() => thread.close());

const bodyOf = (content: unknown, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ model: 'acme/small', messages: [{ role: 'user', content }], ...more }));
const count = (body: Buffer, { window = WINDOW, organizationId = 'org_1' } = {}) =>
  counter.count(organizationId, { operation: 'messages', bodyBytes: body }, window);
const refusalOf = (counting: Promise<unknown>): Promise<unknown> =>
  counting.then(
    () => null,
    (error: unknown) => (error instanceof GatewayError ? error.reason : error),
  );

describe('a counted prompt', () => {
  it.each<[string, Buffer, number, number]>([
    ['a word in a message', bodyOf('Hello'), 1 + 4 + 3, 0],
    ['nothing in a message', bodyOf(''), 4 + 3, 0],
    ['a system prompt too', bodyOf('Hello', { system: 'Hello' }), 2 + 8 + 3, 0],
    ['what its tokenizer knows as a control word, as text', bodyOf('<|endoftext|>'), 7 + 4 + 3, 0],
    ['two bytes beyond one for each Chinese character', bodyOf('你好'), 1 + 4 + 3, 4],
    ['an image at a fixed price', bodyOf([{ type: 'image', source: {} }]), 1_600 + 4 + 3, 0],
  ])('has %s', async (_, body, tokenCount, wideBytes) => {
    expect(await count(body)).toEqual({ tokenCount, wideBytes });
  });

  it('leaves the caller’s body usable', async () => {
    const body = bodyOf('Hello');
    await count(body);
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'acme/small' });
  });

  it('that fills a context window is only estimated beyond it', async () => {
    const body = bodyOf('word '.repeat(10_000_000));
    const { tokenCount } = await count(body, { window: 1_000 });
    expect(tokenCount / (body.length / 4)).toBeCloseTo(1, 1);
  });
});

describe('the second thread', () => {
  it('parses large bodies while it counts', async () => {
    const ended: string[] = [];
    const counting = count(bodyOf('a'.repeat(1_000_000))).then(() => ended.push('count'));
    const large = bodyOf('Hello', { metadata: { filling: 'x'.repeat(300 * 1024) } });
    await new CallParser(shared).parse('chat_completions', large, 'org_1').then(() => ended.push('parse'));
    await counting;
    expect(ended).toEqual(['parse', 'count']);
  });

  it('refuses an organization more than its share of waiting prompts, and no other organization', async () => {
    const many = Promise.all(Array.from({ length: 40 }, () => refusalOf(count(bodyOf('Hello')))));
    expect(await refusalOf(count(bodyOf('Hello'), { organizationId: 'org_2' }))).toBeNull();
    expect(await many).toEqual([...Array(32).fill(null), ...Array(8).fill('overloaded')]);
    expect(await refusalOf(count(bodyOf('Hello')))).toBeNull();
  });

  it('counts for organizations in turn: one with many prompts delays no other', async () => {
    const ended: string[] = [];
    const counting = ['org_1', 'org_1', 'org_1', 'org_2', 'org_2', 'org_3'].map(async (organizationId) => {
      await count(bodyOf('Hello'), { organizationId });
      ended.push(organizationId);
    });
    await Promise.all(counting);
    expect(ended).toEqual(['org_1', 'org_2', 'org_3', 'org_1', 'org_2', 'org_1']);
  });

  it('goes on after a count that failed', async () => {
    expect(await refusalOf(count(Buffer.from('no JSON')))).toBe('unhandled');
    expect(await refusalOf(count(bodyOf('Hello')))).toBeNull();
  });
});
