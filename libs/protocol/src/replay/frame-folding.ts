import { type JsonRecord } from '../json/byte-text';

/** What one protocol's stream says in pieces, and how pieces become one. */
export interface FrameFolding {
  /** Which run of pieces the frame may belong to; null for a frame that stands for itself. */
  slotOf(frame: { readonly event: string; readonly chunk: JsonRecord }): number | null;
  /** Adds what `next` says to `into`, a frame of the same slot; false, and nothing is changed, when it can't. */
  fold(into: JsonRecord, next: JsonRecord): boolean;
}
