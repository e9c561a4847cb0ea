const fc = require('fast-check');

// jest.config.js sets it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SVC_TEST_SEED) });
