const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The order of tiers in a run: those that wait for other processes first, so that a minute of waiting passes beside the
 * many short files, and is not what is left at the end.
 */
const ORDER = ['fault', 'start', 'e2e', 'page', 'store', 'pure'];
const rankOf = ({ context }) => ORDER.indexOf(context.config.displayName.name);

/** Sorts spec files by tier, and within a tier as Jest does: the slowest of the last run first, or the largest. */
module.exports = class TierSequencer extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
};
