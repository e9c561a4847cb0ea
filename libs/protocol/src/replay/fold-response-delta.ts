import { type JsonRecord } from '../json/byte-text';
import { type FrameFolding } from './frame-folding';

/** The members of an event with a piece of text. `obfuscation` is padding that hides the length of the piece. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['type', 'sequence_number', 'item_id', 'output_index', 'content_index', 'summary_index'],
  ...['delta', 'logprobs', 'obfuscation'],
]);
/** Those that are alike in the pieces of one text. */
const PLACE = ['type', 'item_id', 'content_index', 'summary_index'] as const;

/**
 * Folds the pieces of one text of an output item. A joined event keeps the number of its first piece, so that numbers
 * still rise.
 */
export const responseDeltas: FrameFolding = {
  slotOf: ({ event, chunk }) => {
    const { type, output_index: index, delta, logprobs } = chunk;
    if (event !== type || !event.endsWith('.delta') || typeof index !== 'number') return null;
    if (typeof delta !== 'string' || !(logprobs === undefined || Array.isArray(logprobs))) return null;
    return Object.keys(chunk).every((member) => MEMBERS.has(member)) ? index : null;
  },
  fold: (into, next) => {
    if (PLACE.some((member) => into[member] !== next[member])) return false;
    if ((into['logprobs'] === undefined) !== (next['logprobs'] === undefined)) return false;
    const joined = into as Record<string, unknown>;
    joined['delta'] = `${String(into['delta'])}${String(next['delta'])}`;
    for (const logprob of logprobsIn(next)) logprobsIn(into).push(logprob);
    delete joined['obfuscation'];
    return true;
  },
};

const logprobsIn = ({ logprobs }: JsonRecord): unknown[] => (logprobs ?? []) as unknown[];
