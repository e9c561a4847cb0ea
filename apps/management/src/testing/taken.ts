import { type Answered } from './management-under-test';

/** Calls again where many calls at once wait too long for a connection, and one is told to come again. */
export async function taken(call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
  }
}
