import { errorEnvelope, GatewayError } from '@svc/kernel';
import { decodeUtf8, encodeUtf8 } from '../json/byte-text';
import { keepAliveComment, streamErrorFrame } from '../stream/service-frames';
import { renderError } from './route-errors';
import { upstreamErrorMessage, upstreamErrorNames } from './upstream-error';

const envelope = errorEnvelope(new GatewayError('overloaded', 'Try later.'), 'req_1');

describe('renderError', () => {
  it('adds on messages the fields that its SDKs read, and keeps the envelope', () => {
    expect(renderError('messages', envelope)).toEqual({
      type: 'error',
      error: envelope.error,
      request_id: 'req_1',
    });
  });

  it('returns the envelope unchanged on other routes', () => {
    expect(renderError('chat_completions', envelope)).toBe(envelope);
    expect(renderError(null, envelope)).toBe(envelope);
  });
});

describe('streamErrorFrame', () => {
  it('is a numbered event on responses, with the error where either kind of client looks', () => {
    const error = { ...envelope.error, param: null };
    const { code, message } = error;
    expect(decodeUtf8(streamErrorFrame('responses', envelope, 7))).toBe(
      `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 7, code, message, param: null, error })}\n\n`,
    );
  });

  it('is one frame in the form of the route', () => {
    expect(decodeUtf8(streamErrorFrame('chat_completions', envelope))).toBe(
      `data: ${JSON.stringify(envelope)}\n\n`,
    );
    expect(decodeUtf8(streamErrorFrame('messages', envelope))).toBe(
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: envelope.error, request_id: 'req_1' })}\n\n`,
    );
  });
});

it('a keep-alive is a comment', () => {
  expect(decodeUtf8(keepAliveComment())).toMatch(/^: .*\n\n$/);
});

describe('upstreamErrorMessage', () => {
  it.each([
    ['{"error":{"message":"Too long.","type":"invalid_request_error","key":"sk-1"}}', 'Too long.'],
    [
      '{"type":"error","error":{"type":"invalid_request_error","message":"Bad role."},"request_id":"r"}',
      'Bad role.',
    ],
    ['{"error":{"message":""}}', null],
    ['{"error":{"message":{"a":1}}}', null],
    ['{"error":"text"}', 'text'],
    ['{"error":["one","two"]}', 'one; two'],
    ['{"error":"Bad Request","message":"No such field."}', 'No such field.'],
    ['{"message":"elsewhere"}', 'elsewhere'],
    ['[{"error":{"code":400,"message":"Unknown name."}}]', 'Unknown name.'],
    ['{"errors":[{"message":"First."},{"message":"Second."}]}', 'First.; Second.'],
    ['{"detail":"Not found"}', 'Not found'],
    ['{"detail":[{"loc":["body","messages",0],"msg":"field required"}]}', 'body.messages.0: field required'],
    [
      '{"object":"error","message":{"detail":[{"loc":["body","n"],"msg":"not an int"}]}}',
      'body.n: not an int',
    ],
    ['"a text"', 'a text'],
    ['Model not found\n', 'Model not found'],
    ['{"error":{"message":"red\\u001b[31m \\u202eand back"}}', 'red [31m  and back'],
    ['{"error":{"message":"cut off', null],
    ['<html>502</html>', null],
    ['  \n', null],
    ['', null],
    ['{"error":{"code":429}}', null],
    [`${'['.repeat(5000)}"deep"${']'.repeat(5000)}`, null],
  ])('of %s is %p', (body, message) => {
    expect(upstreamErrorMessage(encodeUtf8(body))).toBe(message);
  });

  it('is cut to 2 KiB between two characters', () => {
    const cut = upstreamErrorMessage(
      encodeUtf8(JSON.stringify({ error: { message: 'a' + '漢'.repeat(2000) } })),
    );
    expect(cut).toBe('a' + '漢'.repeat(682));
  });
});

describe('upstreamErrorNames', () => {
  it.each([
    [
      '{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}',
      ['insufficient_quota', 'insufficient_quota'],
    ],
    ['{"type":"error","error":{"type":"billing_error","message":"Pay."}}', ['billing_error']],
    ['{"error":{"type":null,"code":429}}', []],
    ['{"error":"insufficient_quota"}', []],
    ['[]', []],
    ['<html>429</html>', []],
    ['', []],
  ])('of %s are %j', (body, names) => {
    expect(upstreamErrorNames(encodeUtf8(body))).toEqual(names);
  });
});
