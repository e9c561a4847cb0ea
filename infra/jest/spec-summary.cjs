const SHOWN = 10;

/**
 * What a run of specs says at its end: its slowest files, and how to run the failed ones again.
 * @param files of each spec file that ran: its path, its seconds, and whether it failed.
 */
exports.linesAbout = (files) => {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
  const failed = files.filter(({ hasFailed }) => hasFailed);
  return [
    '',
    `The ${String(slowest.length)} slowest of ${String(files.length)} spec files, in seconds:`,
    ...slowest.map(({ seconds, path }) => `${seconds.toFixed(1).padStart(6)}  ${path}`),
    ...(failed.length > 0
      ? ['', 'Run what failed again, alone:', `npm run spec -- ${failed.map(({ path }) => path).join(' ')}`]
      : []),
  ];
};
