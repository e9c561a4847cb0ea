/** A worker keeps the modules of every spec file that it ran, and there are many: another takes over before its heap is full. */
module.exports = { ...require('../../jest.config.js'), workerIdleMemoryLimit: '1500MB' };
