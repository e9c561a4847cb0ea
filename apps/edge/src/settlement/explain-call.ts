import { storedRates } from '@svc/catalog';
import { errorEnvelope, type GatewayError } from '@svc/kernel';
import { type CallExplanation } from '@svc/ledger/store';
import { type CallWarning } from '@svc/policy';
import { type CallOutcome } from './settle-call';

const MESSAGE_LENGTH_MAX = 1_000;

type Explained = Pick<
  CallOutcome,
  'requestId' | 'servedBy' | 'usage' | 'warnings' | 'error' | 'keepsMessages'
>;

/** What the record of a call keeps so that its cost and its answer can be explained later (docs/decisions/0037). */
export function explainCall({
  requestId,
  servedBy,
  usage,
  warnings,
  error,
  keepsMessages,
}: Explained): CallExplanation {
  return {
    ...(servedBy !== null && usage !== null && { rates: storedRates(usage, servedBy.prices) }),
    ...(warnings.length > 0 && { warnings: warnings.map(storedWarning) }),
    ...(error !== null && { error: storedError(error, requestId, keepsMessages) }),
  };
}

const storedWarning = ({ param, code, message }: CallWarning) => ({
  param: storable(param),
  code,
  message: storable(message),
});

function storedError(
  error: GatewayError,
  requestId: string,
  keepsMessages: boolean,
): NonNullable<CallExplanation['error']> {
  const { type, message, param, retriable } = errorEnvelope(error, requestId).error;
  return {
    type,
    message: keepsMessages ? storable(message) : null,
    ...(param !== undefined && { param: storable(param) }),
    retriable,
  };
}

/** A provider's message and a caller's field names can be long, and have what the database refuses in JSON. */
const storable = (text: string): string =>
  text.slice(0, MESSAGE_LENGTH_MAX).toWellFormed().replaceAll('\u0000', '\ufffd');
