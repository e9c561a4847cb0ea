import { setImmediate as others } from 'node:timers/promises';
import { Refusal } from '../refusal';
import { type BodyFields, isFields } from './body-fields';
import { jsonSteps } from './json-steps';

/** Up to here `JSON.parse` takes a few milliseconds and is the fastest. */
const ONE_GO_BYTES = 1 << 20;

/** The JSON object in a body of any size; a big one is read in turns with other calls. @throws Refusal 400. */
export async function parseBody(bytes: Buffer): Promise<BodyFields> {
  let body: unknown;
  try {
    body = bytes.length <= ONE_GO_BYTES ? JSON.parse(bytes.toString()) : await inTurns(bytes);
  } catch {
    throw new Refusal(400, 'The body is no valid JSON.', { code: 'invalid_json' });
  }
  if (!isFields(body)) throw new Refusal(400, 'The body must be a JSON object.');
  return body;
}

async function inTurns(bytes: Buffer): Promise<unknown> {
  const steps = jsonSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await others();
  }
}
