import { type MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages';
import { encodeUtf8 } from '../json/byte-text';
import { COUNTED_FIELDS, countBody, readTokenCount } from './count-body';
import { parseCall } from './parse-call';

describe('the body that asks for a count', () => {
  it('is the caller’s, with the provider’s name of the model and without fields that counting does not take', () => {
    const json =
      '{"stream":true,"model":"a/b", "messages":[{"role":"user","content":"é"}],"compat_mode":"strict","system":"S","temperature":1.0}';
    const call = parseCall('count_tokens', encodeUtf8(json));
    expect(Buffer.concat(countBody(call, 'b-1')).toString()).toBe(
      '{"model":"b-1", "messages":[{"role":"user","content":"é"}],"system":"S"}',
    );
  });

  it('has the fields of betas where the caller names one', () => {
    const json =
      '{"model":"a/b","messages":[{"role":"user","content":"S"}],"context_management":{},"metadata":{},"container":"c"}';
    const sent = (betas: readonly string[]) => {
      const call = parseCall('count_tokens', encodeUtf8(json), {
        anthropic: { version: null, betas },
        extraParameters: new Set(),
      });
      return Object.keys(JSON.parse(Buffer.concat(countBody(call, 'b-1')).toString()) as object);
    };
    expect(sent([])).toEqual(['model', 'messages']);
    expect(sent(['context-management-2025-06-27'])).toEqual(['model', 'messages', 'context_management']);
  });

  it('takes all fields of the SDK', () => {
    // The type is complete: a field that a newer SDK adds fails the type check.
    const fields = {
      cache_control: 1,
      messages: 1,
      model: 1,
      output_config: 1,
      speed: 1,
      system: 1,
      thinking: 1,
      tool_choice: 1,
      tools: 1,
      // These two are headers on the wire.
      user_profile_id: 0,
      workspace_id: 0,
    } satisfies Record<keyof MessageCountTokensParams, 0 | 1>;
    const inBody = Object.entries(fields).flatMap(([name, isInBody]) => (isInBody === 1 ? [name] : []));
    expect([...COUNTED_FIELDS].toSorted()).toEqual(inBody.toSorted());
  });
});

describe('the answer to a count', () => {
  it.each<[string, number | null]>([
    ['{"input_tokens":14}', 14],
    ['{"input_tokens":0,"more":true}', 0],
    ['{"input_tokens":-1}', null],
    ['{"input_tokens":1.5}', null],
    ['{"input_tokens":"14"}', null],
    ['{}', null],
    ['[14]', null],
    ['<html>', null],
    ['', null],
  ])('%s is %p', (body, count) => {
    expect(readTokenCount(encodeUtf8(body))).toBe(count);
  });
});
