/** The seed of what is random in specs. jest.config.js sets it: it is fixed, unless SVC_TEST_SEED is a number or `random`. */
export const seedOfThisRun = Number(process.env.SVC_TEST_SEED);
