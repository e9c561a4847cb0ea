const TRIES_MAX = 3;

/**
 * The answer to a call, which is sent up to three times. A call that waits longer for a lock than a caller should wait is a 503,
 * and may be retried: a busy machine has some.
 */
export async function retryBusy<Answer extends { readonly status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await call();
    if (answer.status !== 503 || tries === TRIES_MAX) return answer;
  }
}
