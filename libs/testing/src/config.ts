/** SVC_TEST_SEED: a number, or `random`; null where it is not set. */
export const seedAsked = process.env.SVC_TEST_SEED ?? null;
