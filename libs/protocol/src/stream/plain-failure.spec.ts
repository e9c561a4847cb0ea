import { encodeUtf8 } from '../json/byte-text';
import { failureOfPlainAnswer } from './plain-failure';
import { readPlainAnswer } from '../answer/plain-answer';

const bytes = (answer: unknown) => encodeUtf8(JSON.stringify(answer));
const error = { message: 'Out of \u001b[31mmemory', code: 503 };
const broken = { message: 'Out of  [31mmemory', status: 503 };
const choice = (more: object) => ({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hel' }, ...more }],
});

describe('a plain answer that an error broke off', () => {
  it.each<[string, 'chat_completions' | 'messages' | 'responses', object]>([
    ['beside the finish', 'chat_completions', choice({ finish_reason: 'error', error })],
    [
      'in the message',
      'chat_completions',
      { choices: [{ finish_reason: 'ERROR', message: { content: '', error } }] },
    ],
    ['beside the choices', 'chat_completions', { ...choice({ finish_reason: 'error' }), error }],
    ['in place of an answer', 'chat_completions', { error }],
    ['of a message', 'messages', { type: 'message', content: [], stop_reason: 'error', error }],
    ['in place of a message', 'messages', { type: 'error', error }],
    ['of a response', 'responses', { object: 'response', output: [], status: 'failed', error }],
  ])('tells the provider’s error: %s', (_, operation, answer) => {
    expect(readPlainAnswer(operation, bytes(answer))).toBeNull();
    expect(failureOfPlainAnswer(bytes(answer))).toEqual(broken);
  });

  it('is a failure of the provider where it tells nothing', () => {
    const answer = choice({ finish_reason: 'insufficient_system_resource' });
    expect(failureOfPlainAnswer(bytes(answer))).toEqual({
      status: 502,
      message: expect.stringMatching(/broke its answer off/),
    });
    const bare = choice({ finish_reason: 'error', error: 'Overloaded' });
    expect(failureOfPlainAnswer(bytes(bare))).toEqual({ status: 502, message: 'Overloaded' });
  });

  it('has a message of at most 2 KiB', () => {
    const long = choice({ finish_reason: 'error', error: { message: 'ä'.repeat(5000) } });
    expect(Buffer.byteLength(failureOfPlainAnswer(bytes(long))?.message ?? '')).toBe(2048);
  });

  it.each([
    [{}],
    [{ choices: [] }],
    [{ error: null }],
    [[]],
    ['x'],
    [{ object: 'response', status: 'queued' }],
  ])('is not %j', (answer) => {
    expect(failureOfPlainAnswer(bytes(answer))).toBeNull();
  });
});
