import { parentPort } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { callFingerprint, parseCall, type ParsedCall } from '@svc/protocol';
import { type ParseJob, type ParseResult } from './parse-job';

/** Members above this stay on this thread: to copy them over would cost the main one what it came to save. */
const COPIED_MEMBER_BYTES_MAX = 4096;

/** The second thread of CallParser. */
parentPort?.on('message', ({ id, operation, bytes, fingerprinted }: ParseJob) => {
  try {
    const parsed = withoutLargeMembers(parseCall(operation, bytes));
    const call = { parsed, fingerprint: fingerprinted ? callFingerprint(operation, bytes) : null };
    parentPort?.postMessage({ id, call } satisfies ParseResult, [bytes.buffer as ArrayBuffer]);
  } catch (thrown) {
    const { reason, message, param } = GatewayError.from(thrown);
    const refusal = { reason, message, ...(param === undefined ? {} : { param }) };
    parentPort?.postMessage({ id, refusal } satisfies ParseResult);
  }
});

function withoutLargeMembers(call: ParsedCall): ParsedCall {
  const small = call.members.members.filter(
    ({ valueStart, valueEnd }) => valueEnd - valueStart <= COPIED_MEMBER_BYTES_MAX,
  );
  return { ...call, body: Object.fromEntries(small.map(({ key }) => [key, call.body[key]])) };
}
