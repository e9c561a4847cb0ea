import { encodeUtf8 } from '../json/byte-text';
import { translateCall } from '../translation/call/translate-call';
import { callFields, requiredFields } from './call-fields';
import { type Operation, OPERATIONS } from './operation';
import { parseCall } from './parse-call';
import { upstreamBody } from './upstream-body';

/** A call in which every field that may be left out is null. */
function nulls(operation: Operation) {
  const required = new Set([...requiredFields[operation], 'input']);
  const optional = [...callFields[operation].keys()].filter((name) => !required.has(name));
  const messages = [{ role: 'user', content: 'Hi' }];
  const given = operation === 'responses' || operation === 'embeddings' ? { input: 'Hi' } : { messages };
  const body = { ...Object.fromEntries(optional.map((name) => [name, null])), ...given, model: 'a/b' };
  const limited = operation === 'messages' ? { ...body, max_tokens: 5 } : body;
  return parseCall(operation, encodeUtf8(JSON.stringify(limited)));
}

const sent = (pieces: readonly Uint8Array[]) => JSON.parse(Buffer.concat(pieces).toString()) as object;
const target = { upstreamModel: 's-1', maxOutputTokens: 5 };

describe('a field that is null', () => {
  it.each(OPERATIONS)('is not sent to a provider of %s', (operation) => {
    const body = sent(upstreamBody(nulls(operation), { ...target, maxOutputTokens: null }));
    expect(Object.values(body)).not.toContain(null);
  });

  it.each<[Operation, Operation]>([
    ['chat_completions', 'messages'],
    ['messages', 'chat_completions'],
    ['responses', 'chat_completions'],
    ['responses', 'messages'],
    ['responses', 'responses'],
  ])('of %s is neither sent in %s nor told', (operation, spoken) => {
    const { body, losses } = translateCall(nulls(operation), { ...target, operation: spoken });
    expect(JSON.stringify(sent(body))).not.toContain('null');
    expect(losses).toEqual([]);
  });
});
