import fc from 'fast-check';
import { shortToolNames, toolNameForm } from '../call/tool-names';
import { callOf, playStream } from '../testing/caller-answer';
import { relayForCall } from '../stream/relay-for-call';
import { encodeUtf8 } from '../json/byte-text';
import { relayWithCallersNames } from './restored-names';
import { SplitNames } from './split-names';

const names = ['a', 'b'].map((end) => `mcp__a_server_with_a_long_name__${'x'.repeat(60)}_${end}`);
const tools = [...names, 'mcp__a'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
}));
const form = toolNameForm('chat_completions');
const sent = shortToolNames([...names, 'mcp__a'], form);

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const piece = (more: object): string => chunk({ tool_calls: [{ index: 0, ...more }] });
const end = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`;

/** The name that a client that joins its pieces, as OpenAI's does, reads in a stream in the caller's own protocol. */
function nameIn(stream: string, cuts: readonly number[] = []): string {
  const call = callOf('chat_completions', { tools });
  const relay = relayWithCallersNames(call, form, relayForCall(call));
  const bytes = encodeUtf8(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const out = places.flatMap((from, at) => relay.push(bytes.subarray(from, places[at + 1] ?? from)));
  relay.end();
  const whole = Buffer.concat([...out, ...relay.finish({ svc: 0 })]).toString();
  return [...whole.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name).join('');
}

describe('a short name of a tool, in a chat stream of the caller’s own protocol', () => {
  it('comes back as the caller’s, however the provider streams it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (name, nameCuts, cuts) => {
          const short = sent.get(name) ?? '';
          const places = [
            0,
            ...nameCuts.map((cut) => cut % short.length).sort((a, b) => a - b),
            short.length,
          ];
          const pieces = places.slice(1).map((to, at) => short.slice(places[at], to));
          // The whole name of a tool is taken for that tool's.
          fc.pre(!pieces.includes('mcp__a'));
          const frames = pieces.map((text, at) =>
            piece({ ...(at === 0 && { id: 'x', type: 'function' }), function: { name: text } }),
          );
          const given = piece({ function: { arguments: '{"name":"mcp__"}' } });
          expect(nameIn(frames.join('') + given + end, cuts)).toBe(name);
        },
      ),
    );
  });

  it.each([
    ['the name of another tool', 'mcp__a'],
    ['a name that only begins like one', 'mcp__a_se'],
    ['a name of no tool', 'other'],
  ])('is not made of %s', (_, name) => {
    const frames = piece({ id: 'x', function: { name, arguments: '' } });
    expect(nameIn(frames + piece({ function: { arguments: '{}' } }) + end)).toBe(name);
    expect(nameIn(frames + end)).toBe(name);
  });

  it('holds up nothing else for long', () => {
    const begun = piece({ id: 'x', function: { name: 'mcp__a_se' } });
    const split = new SplitNames([...sent.values()], []);
    expect(split.take(begun)).toBe('');
    const text = chunk({ content: 'Hello '.repeat(3_000) });
    expect(split.take(text)).toBe(begun + text);
    expect(split.rest()).toBe('');
  });

  it('leaves a call without long names as it is', () => {
    const frames = piece({ id: 'x', function: { name: 'f', arguments: '{}' } });
    const { answer } = playStream(frames + end, {
      call: callOf('chat_completions'),
      spoken: 'chat_completions',
    });
    expect(answer.tools).toEqual([{ id: 'x', name: 'f', arguments: '{}' }]);
  });
});
