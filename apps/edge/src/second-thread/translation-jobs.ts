import { type MemberEdits, type Operation, type TranslationTarget } from '@svc/protocol';

interface LargeCall {
  readonly operation: Operation;
  /** A body that was already parsed as a call. */
  readonly bytes: Uint8Array;
}

/** Asks what a call loses at each target. */
export interface LossesJob extends LargeCall {
  readonly targets: readonly TranslationTarget[];
}

/** Asks for the body that a target is sent. */
export interface TranslateJob extends LargeCall {
  readonly target: TranslationTarget;
}

/** Asks for the body that a target of the call's own protocol is sent. */
export interface RewriteJob extends TranslateJob {
  /** Changes at the top level of every call. */
  readonly edits: MemberEdits;
}
