import { type AnswerHeaders } from './answer-headers';
import { rateWindowsIn } from './rate-windows';

/** How much of its limits a provider has left for a credential at one model endpoint. */
export interface Headroom {
  /** The least that is left of a limit, in basis points. */
  readonly bps: number;
  /** When that limit is whole again: from then on nothing is known. */
  readonly untilMs: number;
}

/** Below this a credential is tried after the others of its weight. */
export const LOW_HEADROOM_BPS = 500;

/** Limits are counted by the minute. */
const RESET_MS_DEFAULT = 60_000;
/** Of the limits that providers have, those of a day last longest. */
const RESET_MS_MAX = 86_400_000;

/** The headroom by the headers of an answer; null where they tell none. */
export function headroomIn(headers: AnswerHeaders, nowMs: number): Headroom | null {
  let least: Headroom | null = null;
  for (const { headroomBps: bps, resetInMs } of rateWindowsIn(headers, nowMs)) {
    if (bps === null || (least !== null && least.bps <= bps)) continue;
    least = { bps, untilMs: nowMs + Math.min(resetInMs ?? RESET_MS_DEFAULT, RESET_MS_MAX) };
  }
  return least;
}

/** Basis points; null where nothing is known any more. */
export const headroomBpsAt = (headroom: Headroom | undefined, nowMs: number): number | null =>
  headroom === undefined || nowMs >= headroom.untilMs ? null : headroom.bps;
