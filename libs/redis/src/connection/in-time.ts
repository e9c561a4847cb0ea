/** Longer than a healthy answer takes to a cold process on a busy machine, and short enough for the caller to retry elsewhere. */
const ANSWER_TIMEOUT_MS = 750;

/**
 * Rejects when an answer does not come in time. In a busy process the timer fires late, while an answer may be received
 * but still unread. `setImmediate` lets it be read first. The client's own time-out would reject it.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new Error(`Redis did not answer within ${String(ANSWER_TIMEOUT_MS)} ms.`));
    };
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_TIMEOUT_MS);
    const settle =
      <V>(how: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        how(value);
      };
    answer.then(settle(resolve), settle(reject));
  });
}
