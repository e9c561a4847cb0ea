import {
  parseOutline,
  rewriteLongCall,
  translateLongCall,
  untranslatable,
  type Loss,
  type TakeMemory,
} from '@svc/protocol';
import { transferable } from './large-body';
import { type LossesJob, type RewriteJob, type TranslateJob } from './translation-jobs';

/** On the second thread. */
export function lossesOfLargeCall({ operation, bytes, targets }: LossesJob): readonly (readonly Loss[])[] {
  // The losses do not depend on the ends of long strings.
  const call = { operation, body: parseOutline(bytes) };
  return targets.map((target) => untranslatable(call, target));
}

/** On the second thread. */
export const translateLargeCall = (
  { operation, bytes, target }: TranslateJob,
  take: TakeMemory,
): readonly Uint8Array[] =>
  translateLongCall({ operation, bodyBytes: bytes }, target, take).map(transferable);

/** On the second thread. */
export const rewriteLargeCall = (
  { operation, bytes, target, edits }: RewriteJob,
  take: TakeMemory,
): readonly Uint8Array[] =>
  rewriteLongCall({ operation, bodyBytes: bytes }, target, edits, take).map(transferable);
