/** The HTTP traffic of a client, including its own retries. */
export interface RecordedFetch {
  readonly fetch: typeof fetch;
  /** In the order in which the answers began. */
  readonly answers: readonly Pick<Response, 'status' | 'headers'>[];
}

export function recordedFetch(): RecordedFetch {
  const answers: Pick<Response, 'status' | 'headers'>[] = [];
  return {
    answers,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      answers.push({ status: answer.status, headers: answer.headers });
      return answer;
    },
  };
}
