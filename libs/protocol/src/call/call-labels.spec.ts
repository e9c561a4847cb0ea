import fc from 'fast-check';
import { labelsIn, usageTagIn } from './call-labels';
import { parseCall } from './parse-call';

const chat = (fields: object) => labelsIn('chat_completions', { ...fields });
const messages = (metadata: unknown) => labelsIn('messages', { metadata });

describe('the labels of a call', () => {
  it.each([
    ['without labels', {}],
    ['with null for both', { user: null, metadata: null }],
    ['with nothing in them', { user: '', metadata: {} }],
  ])('are none %s', (_, fields) => {
    expect(chat(fields)).toBeNull();
  });

  it('are `user` and `metadata` of a chat completion', () => {
    expect(chat({ user: 'u-1', metadata: { team: 'search' } })).toEqual({
      user: 'u-1',
      metadata: { team: 'search' },
    });
    expect(chat({ user: 'u-1' })).toEqual({ user: 'u-1', metadata: {} });
    expect(chat({ metadata: { user_id: 'u-1' } })).toEqual({ user: null, metadata: { user_id: 'u-1' } });
  });

  it('are `metadata` of a message, whose user is `user_id` there', () => {
    expect(messages({ user_id: 'u-1', team: 'search' })).toEqual({
      user: 'u-1',
      metadata: { user_id: 'u-1', team: 'search' },
    });
    expect(messages({ team: 'search' })).toEqual({ user: null, metadata: { team: 'search' } });
  });

  it('are read while a body is parsed', () => {
    const body = { model: 'acme/small', messages: [{ role: 'user', content: 'Hello' }], user: 'u-1' };
    const parsed = parseCall('chat_completions', Buffer.from(JSON.stringify(body)));
    expect(parsed.labels).toEqual({ user: 'u-1', metadata: {} });
  });

  it('have numbers and truth values as text, and nothing that holds other values', () => {
    const metadata = {
      build: 12,
      rate: 0.5,
      dry: false,
      none: null,
      list: ['a'],
      deep: { a: 'b' },
      far: 1e999,
    };
    expect(chat({ metadata })?.metadata).toEqual({ build: '12', rate: '0.5', dry: 'false' });
  });

  it('keep 16 pairs, names of 64 characters and values of 512, and leave out what is beyond', () => {
    const pairs = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`name_${String(at)}`, 'x']));
    expect(Object.keys(chat({ metadata: pairs })?.metadata ?? {})).toEqual(Object.keys(pairs).slice(0, 16));
    const [name, value] = ['n'.repeat(64), 'v'.repeat(512)];
    const metadata = { [name]: value, [`${name}n`]: 'x', long: `${value}v` };
    expect(chat({ user: `${value}v`, metadata })).toEqual({ user: null, metadata: { [name]: value } });
  });

  it.each(['', ' ', ' a', 'a\n', 'a\0b', '\ud83d', 'a\udc00', '\u0085'])('leave out %j', (text) => {
    expect(chat({ user: text, metadata: { name: text, [text]: 'value', kept: 'yes' } })).toEqual({
      user: null,
      metadata: { kept: 'yes' },
    });
  });

  it('take a name that objects have for a name', () => {
    const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    const labels = chat({ metadata });
    expect(JSON.stringify(labels?.metadata)).toBe('{"__proto__":"a","constructor":"b"}');
    expect(usageTagIn(labels!, '__proto__')).toBe('a');
    expect(usageTagIn(labels!, 'toString')).toBeNull();
  });

  it('are bounded and printable, whatever a body has', () => {
    const fields = fc.record({ user: fc.string({ unit: 'binary' }), metadata: fc.jsonValue() });
    fc.assert(
      fc.property(fields, (body) => {
        const labels = labelsIn('chat_completions', body);
        const texts = labels === null ? [] : Object.entries(labels.metadata).flat();
        expect(texts.length).toBeLessThanOrEqual(32);
        for (const text of [labels?.user ?? 'none', ...texts])
          expect(text).toMatch(/^[^\p{Cc}\p{Cs}]{1,512}$/u);
      }),
    );
  });
});

describe('the usage tag of a call', () => {
  const labels = { user: 'u-1', metadata: { team: 'search', user: 'other', long: 'x'.repeat(65) } };

  it.each([
    ['team', 'search'],
    ['user', 'u-1'],
    ['env', null],
    ['long', null],
  ])('by %s is %s', (name, tag) => {
    expect(usageTagIn(labels, name)).toBe(tag);
  });
});
