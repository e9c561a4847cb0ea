import { sleep } from './sleep';

/** The outcome of a call that a stalled machine was too slow for. It has held nothing, and reached no provider. */
export const OVERLOADED = '503 overloaded';
const TIMES_MAX = 20;
const BEFORE_AGAIN_MS = 1_000;

/** Sends a call again while it is overloaded, as a client does. @param onAgain called each time before it is. */
export async function sentAgain<Answer>(
  send: () => Promise<Answer>,
  isOverloaded: (answer: Answer) => boolean,
  onAgain: () => void = () => undefined,
): Promise<Answer> {
  for (let times = 0; ; times++) {
    const answer = await send();
    if (!isOverloaded(answer) || times === TIMES_MAX) return answer;
    await sleep(BEFORE_AGAIN_MS);
    onAgain();
  }
}
