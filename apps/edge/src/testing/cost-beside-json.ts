const TIMES = 100_000;
const ROUNDS = 3;
/** Small, as what a call writes to the log at least. */
const LINE = { level: 'info', model: 'acme/small', code: 'rate_limit', outputTokens: 570 };

/**
 * The cost of work, in times of writing and reading one short line of JSON. The fastest of three rounds counts, because a
 * busy machine only ever delays.
 */
export function costBesideJson(work: () => void): number {
  return fastestMs(work) / fastestMs(() => void JSON.parse(JSON.stringify(LINE)));
}

function fastestMs(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (let time = 0; time < TIMES; time++) work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
