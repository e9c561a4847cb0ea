import { storedRates, WHOLE_BPS } from '@svc/catalog';
import { errorEnvelope, type GatewayError } from '@svc/kernel';
import { walletBpsOf } from '@svc/ledger';
import { type CallExplanation } from '@svc/ledger/store';
import { type CallWarning } from '@svc/policy';
import { type CallOutcome, servingCredential } from './settle-call';

const MESSAGE_LENGTH_MAX = 1_000;

type Explained = Pick<
  CallOutcome,
  'requestId' | 'servedBy' | 'attempts' | 'prices' | 'usage' | 'warnings' | 'error' | 'keepsMessages'
>;

/** The explanation that the record of a call keeps, so that its cost and its answer can be explained later (docs/decisions/0037). */
export function explainCall(outcome: Explained): CallExplanation {
  const { requestId, warnings, error, keepsMessages } = outcome;
  return {
    ...pricesOf(outcome),
    ...(warnings.length > 0 && { warnings: warnings.map(storedWarning) }),
    ...(error !== null && { error: storedError(error, requestId, keepsMessages) }),
  };
}

function pricesOf(outcome: Explained): Pick<CallExplanation, 'rates' | 'price_bps'> {
  const { servedBy, usage, prices } = outcome;
  if (servedBy === null || usage === null) return {};
  const rates = storedRates(usage, servedBy.prices);
  const bps = walletBpsOf(prices, servingCredential(outcome));
  return bps === WHOLE_BPS ? { rates } : { rates, price_bps: bps };
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
