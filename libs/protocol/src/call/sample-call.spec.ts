import { callFields } from './call-fields';
import { OPERATIONS, type Operation } from './operation';
import { sampleCall } from './sample-call';
import { usualValues } from './usual-values';

const sample = (operation: Operation, parameters: readonly string[], extra: readonly string[] = []) =>
  sampleCall({
    operation,
    model: 'acme/small',
    compatMode: 'strict',
    parameters,
    extraParameters: new Set(extra),
  });
/** Required by the route, or its own. */
const NAMED_ANYWAY = ['model', 'messages', 'input', 'compat_mode'];
/** The service keeps nothing between calls, so it refuses these. */
const REFUSED = ['background', 'conversation', 'previous_response_id', 'prompt'];

describe('a sample call', () => {
  it.each(OPERATIONS)('of %s has a valid value for every field of its route', (operation) => {
    for (const [name, kind] of callFields[operation]) {
      if (NAMED_ANYWAY.includes(name)) continue;
      expect([name, kind.accepts(usualValues[operation].get(name))]).toEqual([name, true]);
      if (REFUSED.includes(name)) {
        expect(() => sample(operation, [name])).toThrow(
          expect.objectContaining({ reason: 'unsupportedParameter', param: name }) as Error,
        );
      } else expect(sample(operation, [name]).body).toHaveProperty(name);
    }
  });

  it.each(OPERATIONS)('of %s can have all fields at once, and names its model and its mode', (operation) => {
    const names = [...callFields[operation].keys()].filter((name) => !REFUSED.includes(name));
    expect(sample(operation, names)).toMatchObject({ operation, model: 'acme/small', compatMode: 'strict' });
  });

  it('is refused for a field that neither the route nor an endpoint takes, as a call is', () => {
    expect(() => sample('chat_completions', ['min_p'])).toThrow(
      expect.objectContaining({ reason: 'unsupportedParameter', param: 'min_p' }) as Error,
    );
    expect(sample('chat_completions', ['min_p'], ['min_p']).extraParameters).toEqual(['min_p']);
  });
});
