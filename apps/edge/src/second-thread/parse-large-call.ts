import { callFingerprint, conversationIn, parseOutlinedCall, type ParsedCall } from '@svc/protocol';
import { type FingerprintedCall, type ParseJob } from './parse-job';

/** Larger members stay on this thread: copying them would block the main thread, which this thread exists to avoid. */
const COPIED_MEMBER_BYTES_MAX = 4096;

/** On the second thread. */
export function parseLargeCall({
  route,
  bytes,
  fingerprinted,
  endUserHeader,
  context,
}: ParseJob): FingerprintedCall {
  const parsed = withoutLargeMembers(parseOutlinedCall(route, bytes, context));
  const { operation, anthropic } = parsed;
  const fingerprint = fingerprinted ? callFingerprint(operation, bytes, anthropic, endUserHeader) : null;
  return { parsed, fingerprint };
}

function withoutLargeMembers(call: ParsedCall): ParsedCall {
  const small = call.members.members.filter(
    ({ valueStart, valueEnd }) => valueEnd - valueStart <= COPIED_MEMBER_BYTES_MAX,
  );
  return {
    ...call,
    conversation: conversationIn(call.operation, call.body),
    body: Object.fromEntries(small.map(({ key }) => [key, call.body[key]])),
  };
}
