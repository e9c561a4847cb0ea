import { type Operation } from '../call/operation';
import { encodeUtf8 } from '../json/byte-text';
import { readPlainAnswer, renderPlainAnswer } from './plain-answer';

const completion =
  '{ "id":"chatcmpl-1", "model":"s-1-2026", "choices":[{"message":{"content":"{\\"model\\":1} é"}}], "x_unknown":1.0, ' +
  '"usage":{"prompt_tokens":5,"completion_tokens":2} }';
const message =
  '{"type":"message","model":"s-1","content":[],"usage":{"input_tokens":5,"output_tokens":2},"svc":"theirs"}';

const response =
  '{"id":"resp_1","object":"response","status":"incomplete","model":"s-1","output":[],' +
  '"usage":{"input_tokens":5,"output_tokens":2}}';

describe('readPlainAnswer', () => {
  it('reads the usage of every protocol', () => {
    expect(readPlainAnswer('chat_completions', encodeUtf8(completion))?.usage).toMatchObject({
      inputTokens: 5,
    });
    expect(readPlainAnswer('messages', encodeUtf8(message))?.usage).toMatchObject({ outputTokens: 2 });
    expect(readPlainAnswer('responses', encodeUtf8(response))?.usage).toMatchObject({ inputTokens: 5 });
  });

  it('reads an answer without usable usage', () => {
    expect(readPlainAnswer('chat_completions', encodeUtf8('{"choices":[]}'))).toMatchObject({ usage: null });
  });

  it.each(['', 'OK', '[]', 'null', '{}', '{"choices":{}}', '{"error":{"message":"x"}}', message])(
    'refuses %p as a chat completion',
    (body) => {
      expect(readPlainAnswer('chat_completions', encodeUtf8(body))).toBeNull();
    },
  );

  it.each(['{"type":"message"}', '{"type":"error","content":[]}', completion])(
    'refuses %p as a message',
    (body) => {
      expect(readPlainAnswer('messages', encodeUtf8(body))).toBeNull();
    },
  );

  it.each([
    message,
    '{"object":"response"}',
    ...['failed', 'cancelled', 'queued'].map((status) => response.replace('incomplete', status)),
  ])('refuses %p as a response', (body) => {
    expect(readPlainAnswer('responses', encodeUtf8(body))).toBeNull();
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([encodeUtf8('{"choices":["'), new Uint8Array([0xff]), encodeUtf8('"]}')]);
    expect(readPlainAnswer('chat_completions', bytes)).toBeNull();
  });
});

describe('renderPlainAnswer', () => {
  const render = (operation: Operation, body: string, warnings?: unknown[]): string => {
    const additions = { svc: { provider: 'acme' }, ...(warnings === undefined ? {} : { warnings }) };
    const answer = readPlainAnswer(operation, encodeUtf8(body))!;
    return Buffer.concat(renderPlainAnswer(answer, { model: 'acme/small', additions })).toString();
  };

  it('changes the model, adds svc, and keeps every other byte', () => {
    expect(render('chat_completions', completion, [])).toBe(
      completion.replace('"s-1-2026"', '"acme/small"').replace('2} }', '2},"svc":{"provider":"acme"} }'),
    );
  });

  it('makes the additions members of a response', () => {
    expect(render('responses', response)).toBe(
      response.replace('"s-1"', '"acme/small"').replace(/\}$/, ',"svc":{"provider":"acme"}}'),
    );
  });

  it('replaces a member of the upstream that has the name of an addition', () => {
    expect(JSON.parse(render('messages', message, [{ param: 'seed' }]))).toMatchObject({
      svc: { provider: 'acme' },
      warnings: [{ param: 'seed' }],
    });
    expect(render('messages', message)).not.toContain('theirs');
  });
});
