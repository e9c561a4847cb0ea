import fc from 'fast-check';
import { FAULTS_MAX, LINE_BYTES_MAX, LINES_MIN } from './line-limits';
import { TrainingFileCheck, type CheckedFile } from './training-file-check';

const SECRET = 'a prompt that no error may quote';
const example = (content: string): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Yes.' },
    ],
  });
const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => example(String(at)));

function checked(text: string | Uint8Array, pieceBytes = Infinity): CheckedFile {
  const check = new TrainingFileCheck();
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += pieceBytes) check.push(bytes.subarray(at, at + pieceBytes));
  return check.end();
}

const faultsOf = (...changed: readonly (string | object)[]) =>
  checked([...lines(LINES_MIN), ...changed.map(asLine)].join('\n')).faults;
const asLine = (line: string | object) => (typeof line === 'string' ? line : JSON.stringify(line));
/** An example whose first message is this. */
const first = (message: object) => ({ messages: [message, { role: 'assistant', content: 'Yes.' }] });
/** An example whose last message is this. */
const last = (message: object) => ({ messages: [{ role: 'user', content: 'Hi' }, message] });
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

describe('a training file', () => {
  it.each([
    ['texts', first({ role: 'system', content: SECRET, name: 'dana' })],
    ['parts', first({ role: 'user', content: [{ type: 'text', text: SECRET }] })],
    ['an image', first({ role: 'user', content: [{ type: 'image_url', image_url: { url: SECRET } }] })],
    ['calls and a weight', last({ role: 'assistant', tool_calls: [call], weight: 0 })],
    ['a refusal', last({ role: 'assistant', content: [{ type: 'refusal', refusal: SECRET }] })],
    ['an answer of a tool', first({ role: 'tool', tool_call_id: 'call_1', content: SECRET })],
    [
      'tools',
      {
        ...first({ role: 'developer', content: SECRET }),
        tools: [{ type: 'function', function: { name: 'look' } }],
      },
    ],
  ])('may have a line of %s', (_, line) => {
    expect(faultsOf(line)).toEqual([]);
  });

  it.each<[string, string | object, string | null, string]>([
    ['no JSON', `{"messages": "${SECRET}`, null, 'must be a JSON object'],
    ['a list', [SECRET], null, 'must be a JSON object'],
    ['no messages', { prompt: SECRET }, 'messages', 'must be a list of messages'],
    ['an empty list', { messages: [] }, 'messages', 'must be a list of messages'],
    ['a message that is a text', { messages: [SECRET] }, 'messages[0]', 'must be an object'],
    ['an unknown role', first({ role: SECRET, content: '' }), 'messages[0].role', 'must be one of system, '],
    ['no content', first({ role: 'user' }), 'messages[0].content', 'must be a text or a list of parts'],
    ['a number as content', first({ role: 'user', content: 7 }), 'messages[0].content', 'must be a text'],
    [
      'an unknown part',
      first({ role: 'user', content: [{ type: SECRET }] }),
      'messages[0].content[0].type',
      'must be one of text, refusal, image_url',
    ],
    [
      'a part without its text',
      first({ role: 'user', content: [{ type: 'text', text: 7 }] }),
      'messages[0].content[0].text',
      'must be a text',
    ],
    [
      'a weight between',
      last({ role: 'assistant', content: '', weight: 0.5 }),
      'messages[1].weight',
      'must be 0 or 1',
    ],
    ['nothing to learn', last({ role: 'user', content: SECRET }), 'messages[1].role', 'must be assistant'],
    [
      'a call without a name',
      last({ role: 'assistant', tool_calls: [{ ...call, function: { arguments: SECRET } }] }),
      'messages[1].tool_calls[0].function.name',
      'must be a text',
    ],
    [
      'tools that are no list',
      { ...first({ role: 'user', content: '' }), tools: SECRET },
      'tools',
      'must be a list',
    ],
  ])('may not have a line of %s', (_, line, param, message) => {
    const [fault, ...others] = faultsOf(line);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ line: LINES_MIN + 1, param });
    expect(fault!.message).toContain(param === null ? message : `${param} ${message}`);
    expect(JSON.stringify(fault)).not.toContain(SECRET);
  });

  it('is told of at most twenty faults, those of the first lines', () => {
    const { faults } = checked('{}\n'.repeat(100));
    expect(faults.map(({ line }) => line)).toEqual(Array.from({ length: FAULTS_MAX }, (_, at) => at + 1));
  });

  it(`has ${String(LINES_MIN)} lines or more`, () => {
    expect(checked(lines(LINES_MIN - 1).join('\n')).faults).toMatchObject([
      { line: LINES_MIN - 1, param: null },
    ]);
    expect(checked('').faults).toMatchObject([{ line: 1 }]);
    expect(checked(lines(LINES_MIN).join('\n'))).toMatchObject({ lineCount: LINES_MIN, faults: [] });
  });

  it('may end in blank lines, and has none between its lines', () => {
    expect(checked(`${lines(12).join('\r\n')}\r\n\n  \n`)).toMatchObject({ lineCount: 12, faults: [] });
    const [before, ...after] = lines(12);
    expect(checked([before, '', ' ', ...after].join('\n')).faults).toMatchObject([{ line: 2, param: null }]);
  });

  it('has no line above 1 MiB, and one of just 1 MiB', () => {
    const filled = (bytes: number) => example('x'.repeat(bytes - example('').length));
    expect(faultsOf(filled(LINE_BYTES_MAX))).toEqual([]);
    expect(faultsOf(filled(LINE_BYTES_MAX + 1), 'again no JSON')).toMatchObject([
      { line: LINES_MIN + 1, message: 'must have at most 1048576 bytes' },
      { line: LINES_MIN + 2 },
    ]);
  });

  it('is UTF-8 without a mark', () => {
    const text = lines(LINES_MIN).join('\n');
    const broken = Buffer.concat([Buffer.from(`${text}\n{"messages":"`), Buffer.of(0xff), Buffer.from('"}')]);
    expect(checked(broken).faults).toMatchObject([{ line: LINES_MIN + 1, message: 'must be UTF-8' }]);
    expect(checked(`\uFEFF${text}`).faults).toMatchObject([{ line: 1 }]);
  });

  it('is judged alike, however it is cut into pieces', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).map(example),
      fc.json({ maxDepth: 2 }),
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', '')),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (written, pieceBytes) => {
          const text = written.join('\n');
          expect(checked(text, pieceBytes)).toEqual(checked(text));
        },
      ),
    );
  });

  it('of examples is good, has as many lines, and tokens enough for its text', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), {
      minLength: LINES_MIN,
      maxLength: 30,
    });
    fc.assert(
      fc.property(texts, (contents) => {
        const { lineCount, tokenCount, faults } = checked(contents.map(example).join('\n'));
        expect(faults).toEqual([]);
        expect(lineCount).toBe(contents.length);
        expect(tokenCount).toBeGreaterThanOrEqual(Buffer.byteLength(contents.join('')) / 3);
      }),
    );
  });

  it('never shows what it holds, whatever that is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const line = JSON.stringify({ messages: value, [SECRET]: SECRET, tools: [{ type: SECRET }] });
        expect(JSON.stringify(faultsOf(line))).not.toContain(SECRET);
      }),
    );
  });
});
