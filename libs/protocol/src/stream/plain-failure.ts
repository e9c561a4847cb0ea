import { FAILED, finishReasonIn, stopReasonIn } from '../answer/finish-reason';
import { decodeUtf8, type JsonRecord, parseRecord } from '../json/byte-text';
import { recordIn, recordsIn } from '../json/untyped';
import { brokenOffAnswer, inBandFailure } from './in-band-failure';
import { responseFailure } from './response-failure';
import { type StreamFailure } from './stream-relay';

/**
 * The error that a provider's 200 tells of, in place of an answer or of an answer that it broke off. Null for one that tells of none.
 * Without a status of its own it is one of the provider's.
 */
export function failureOfPlainAnswer(bytes: Uint8Array): StreamFailure | null {
  const answer = parseRecord(decodeUtf8(bytes));
  if (answer === null) return null;
  if (answer['object'] === 'response') return failureOfResponse(answer);
  const { error } = answer;
  const failed = recordsIn(answer['choices']).find((choice) => finishReasonIn(choice) === FAILED);
  if (failed !== undefined) {
    return brokenOffAnswer(failed['error'] ?? recordIn(failed['message'])['error'] ?? error);
  }
  if (stopReasonIn(answer) === FAILED) return brokenOffAnswer(error);
  return error ? { status: 502, ...inBandFailure(error) } : null;
}

const failureOfResponse = ({ status, error }: JsonRecord): StreamFailure | null =>
  status === 'failed' && error ? { status: 502, ...responseFailure(error) } : null;
