import { type JsonRecord } from '../json/byte-text';

/** How consecutive frames of one protocol are joined into one. */
export interface FrameFolding {
  /** The run that the frame may belong to. Null for a frame that is never joined. */
  slotOf(frame: { readonly event: string; readonly chunk: JsonRecord }): number | null;
  /** Appends `next` to `into`, a frame of the same slot. Returns false and changes nothing when it cannot. */
  fold(into: JsonRecord, next: JsonRecord): boolean;
}
