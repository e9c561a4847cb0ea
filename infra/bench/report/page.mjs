import { boundOf, tableOf } from './table.mjs';

/** The whole report as Markdown. */
export function pageOf(report) {
  const { machine, versions } = report;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'unknown'}`);
  return [
    '# The last benchmark',
    '',
    `Written by \`npm run bench\`; [README.md](README.md) says what is measured and how to run it again. Taken on ${report.at.slice(0, 16).replace('T', ' ')} UTC`,
    `in ${Math.round(report.seconds / 60)} minutes, ${report.settings.rounds} rounds: the median, and in brackets the least and the most.`,
    '',
    `- ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}`,
    `- ${machine.pinning}`,
    `- ${named.join(', ')}`,
    ...harnessLines(report),
    '',
    '![What a core serves, beside the bare proxy](latest.svg)',
    '',
    ...promiseLines(report.scenarios),
    ...report.scenarios.flatMap(sectionOf),
  ].join('\n');
}

function harnessLines({ harness }) {
  if (harness === null) return [];
  const { loadMicros, upstreamMicros, bareMicros } = harness;
  const digits = (value) => value.toFixed(1);
  return [
    `- the load costs ${digits(loadMicros)} µs a call and the upstream ${digits(upstreamMicros)} µs, the bare proxy ${digits(bareMicros)} µs`,
  ];
}

function promiseLines(scenarios) {
  const rows = scenarios.flatMap(({ name, promises }) =>
    promises.map(({ promise, value, kept: isKept, ...bounds }) => {
      const bound = boundOf(bounds);
      const kept = isKept ? 'yes' : '**no**';
      return `| ${name} | ${promise} | ${Number.isFinite(value) ? value.toFixed(2) : '–'} | ${bound} | ${kept} |`;
    }),
  );
  if (rows.length === 0) return [];
  const head = ['| Scenario | Promise | Measured | Bound | Kept |', '| --- | --- | ---: | ---: | --- |'];
  return ['## What was promised', '', ...head, ...rows, ''];
}

function sectionOf({ name, title, rows, hidden, problems }) {
  const failed = problems.map((problem) => `- Failed: ${problem}`);
  const table = rows.length === 0 ? [] : [tableOf({ hidden }, rows), ''];
  return [`## ${title}`, '', `\`${name}\``, '', ...table, ...failed, ''];
}
