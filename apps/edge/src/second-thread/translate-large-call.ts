import {
  rewriteCall,
  topLevelMembers,
  translateCall,
  untranslatable,
  type Loss,
  type WholeCall,
} from '@svc/protocol';
import { transferable } from './large-body';
import { type LossesJob, type RewriteJob, type TranslateJob } from './translation-jobs';

/** On the second thread. */
export function lossesOfLargeCall({ targets, ...large }: LossesJob): readonly (readonly Loss[])[] {
  const call = wholeCall(large);
  return targets.map((target) => untranslatable(call, target));
}

/** On the second thread. */
export function translateLargeCall({ target, ...large }: TranslateJob): readonly Uint8Array[] {
  return translateCall(wholeCall(large), target).body.map(transferable);
}

/** On the second thread. In one piece, which shares no memory with the job. */
export function rewriteLargeCall({ target, edits, ...large }: RewriteJob): readonly Uint8Array[] {
  const { bytes: bodyBytes } = large;
  const call = { ...wholeCall(large), bodyBytes, members: topLevelMembers(bodyBytes) };
  return [new Uint8Array(Buffer.concat(rewriteCall(call, target, edits)))];
}

function wholeCall({ operation, bytes }: Omit<TranslateJob, 'target'>): WholeCall {
  return { operation, body: JSON.parse(Buffer.from(bytes.buffer).toString()) as WholeCall['body'] };
}
