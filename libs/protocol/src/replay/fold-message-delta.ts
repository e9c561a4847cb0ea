import { isRecord, type JsonRecord } from '../json/byte-text';
import { type FrameFolding } from './frame-folding';

/** The types of deltas that clients append, with the member that holds the text. A signature comes once and whole. */
const textOf: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['input_json_delta', 'partial_json'],
  ['thinking_delta', 'thinking'],
]);

/** Folds the deltas of one content block. */
export const messageDeltas: FrameFolding = {
  slotOf: ({ event, chunk }) => {
    const { index, delta } = chunk;
    if (event !== 'content_block_delta' || typeof index !== 'number' || !isRecord(delta)) return null;
    return pieceOf(delta) === null || Object.keys(chunk).length > 3 ? null : index;
  },
  fold: (into, next) => {
    const delta = into['delta'] as Record<string, unknown>;
    const nextDelta = next['delta'] as JsonRecord;
    if (delta['type'] !== nextDelta['type']) return false;
    const piece = pieceOf(nextDelta);
    if (piece === null) return false;
    delta[piece.member] = `${String(delta[piece.member])}${piece.text}`;
    return true;
  },
};

/** Null for a delta with any member besides its type and its text. */
function pieceOf(delta: JsonRecord): { readonly member: string; readonly text: string } | null {
  const member = textOf.get(delta['type']);
  const text = member === undefined ? undefined : delta[member];
  if (member === undefined || typeof text !== 'string' || Object.keys(delta).length > 2) return null;
  return { member, text };
}
