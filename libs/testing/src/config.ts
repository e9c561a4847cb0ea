/** The seed of what is random in specs. jest.config.js sets it: it is fixed, unless SVC_TEST_SEED is a number or `random`. */
export const seedOfThisRun = Number(process.env.SVC_TEST_SEED);

/** The number of this process among those of Jest that run beside each other, from 1. */
export const processOfThisRun = Number(process.env.JEST_WORKER_ID ?? 1);
