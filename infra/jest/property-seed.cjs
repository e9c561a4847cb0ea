const fc = require('fast-check');

/** The seed of what is random in specs, as in libs/testing/src/seed.ts. jest.config.js has put a number in the place of `random`. */
const FIXED = 20_260_101;
const { SVC_TEST_SEED: seed } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed || FIXED) });
