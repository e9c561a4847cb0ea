/** Longer than any healthy answer takes, short enough that a caller can still retry elsewhere. */
const ANSWER_TIMEOUT_MS = 250;

/**
 * Gives up on an answer that does not come. A timer of a process that was busy is late, and what came meanwhile is still
 * unread then: it is read first. The client's own time-out would refuse it.
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
