import { setImmediate as others } from 'node:timers/promises';
import { Refusal } from '../refusal';
import { type BodyFields, isFields } from './body-fields';
import { jsonSteps } from './json-steps';

/** Up to this size `JSON.parse` takes a few milliseconds and is the fastest. */
const SYNC_BYTES_MAX = 1 << 20;

/** The JSON object in a body of any size; a large one is parsed in steps, so that other calls run in between. @throws Refusal 400. */
export async function parseBody(bytes: Buffer): Promise<BodyFields> {
  let body: unknown;
  try {
    body = bytes.length <= SYNC_BYTES_MAX ? JSON.parse(bytes.toString()) : await parseInSteps(bytes);
  } catch {
    throw new Refusal(400, 'The body is no valid JSON.', { code: 'invalid_json' });
  }
  if (!isFields(body)) throw new Refusal(400, 'The body must be a JSON object.');
  return body;
}

async function parseInSteps(bytes: Buffer): Promise<unknown> {
  const steps = jsonSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await others();
  }
}
