// From rounds to rows.

/** Latencies for which the report also has the difference to calls without a proxy. */
const ADDED = ['p50Ms', 'p99Ms', 'firstByteP50Ms', 'gapP99Ms'];

/** @param variants with `rounds`: the figures of each. @param baseline the variant that ratios are taken to. */
export function summarise(variants, baseline) {
  const roundsOf = (wanted) => variants.find(({ name }) => name === wanted)?.rounds ?? [];
  const [reference, nothing] = [roundsOf(baseline), roundsOf('direct')];
  return variants.map(({ name, label, candidate, failure, rounds }) => ({
    name,
    label,
    candidate,
    ...(failure === null ? {} : { failure }),
    figures: spreads(rounds.map((figures, round) => ({ ...figures, ...addedTo(nothing[round], figures) }))),
    ratios: spreads(rounds.map((figures, round) => ratiosTo(reference[round], figures))),
  }));
}

function addedTo(nothing, figures) {
  if (nothing === undefined || nothing === figures) return {};
  const nameOf = (name) => `added${name[0].toUpperCase()}${name.slice(1)}`;
  return Object.fromEntries(ADDED.map((name) => [nameOf(name), figures[name] - nothing[name]]));
}

function ratiosTo(reference, figures) {
  if (reference === undefined) return {};
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value / reference[name]]));
}

/** @param rounds figures of each. @returns the spread of each numeric figure. */
export function spreads(rounds) {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names
      .map((name) => [name, rounds.map((figures) => figures[name]).filter(Number.isFinite)])
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, spread(values)]),
  );
}

export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}
