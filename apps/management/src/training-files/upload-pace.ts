import { type IncomingMessage } from 'node:http';
import { type Writable } from 'node:stream';
import { GatewayError } from '@svc/kernel';

/** How fast an upload has to be. */
export interface UploadPace {
  readonly leastBytesPerSecond: number;
  /** Over how long the rate is measured. */
  readonly windowMs: number;
  readonly wholeMs: number;
}

const KIB = 1024;
/** A file of 512 MiB at the least rate takes two hours and a quarter. */
export const UPLOAD_PACE: UploadPace = {
  leastBytesPerSecond: 64 * KIB,
  windowMs: 60_000,
  wholeMs: 3 * 3_600_000,
};

const LOOKS_A_WINDOW = 60;

/**
 * Calls `late`, once, where the client sends slower. While the reader has more than it can take, the client cannot send, and
 * that time does not count.
 * @returns what ends the watch.
 */
export function watchPace(
  incoming: IncomingMessage,
  reader: Writable,
  { leastBytesPerSecond, windowMs, wholeMs }: UploadPace,
  late: (tooSlow: GatewayError) => void,
): () => void {
  const { socket } = incoming;
  const lookMs = windowMs / LOOKS_A_WINDOW;
  const endsAtMs = performance.now() + wholeMs;
  let looks = 0;
  let sinceBytes = socket.bytesRead;
  const timer = setInterval(() => {
    if (performance.now() >= endsAtMs) fail('The upload took too long.');
    if (reader.writableNeedDrain || ++looks < LOOKS_A_WINDOW) return;
    const bytesPerSecond = (socket.bytesRead - sinceBytes) / (windowMs / 1_000);
    if (bytesPerSecond < leastBytesPerSecond)
      fail(`The upload was slower than ${String(leastBytesPerSecond / KIB)} KiB a second.`);
    looks = 0;
    sinceBytes = socket.bytesRead;
  }, lookMs);
  const stop = (): void => {
    clearInterval(timer);
  };
  const fail = (message: string): void => {
    stop();
    late(new GatewayError('invalidRequest', message));
  };
  return stop;
}
