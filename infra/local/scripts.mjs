/**
 * The scripts of package.json, which `infra/local/run.mjs` runs: what a script's arguments are, what it does, the module
 * that does it, and whether it takes only the packages of a running service (`isLean`).
 */
const JEST = '[-- <arguments for Jest>]';

export const scripts = {
  start: {
    entry: 'infra/local/start.mjs',
    isLean: true,
    says: ['', 'Builds, and runs every service in one process. docs/configuration.md lists its variables.'],
  },
  dev: {
    entry: 'infra/local/dev.mjs',
    isLean: true,
    says: ['', 'The same as npm start, built and started again whenever a source changes.'],
  },
  build: {
    entry: 'infra/local/build.mjs',
    isLean: true,
    says: ['', 'Builds into dist/ what has changed.'],
  },
  test: {
    entry: 'infra/local/test.mjs',
    says: [JEST, 'Types, and every spec that needs no server beyond what npm brings.'],
  },
  spec: {
    entry: 'infra/local/spec.mjs',
    says: [
      '-- <paths> [<arguments for Jest>]',
      "Runs these specs, of any tier, and brings what they need. -t '<words>' runs the tests with these words in their names.",
    ],
  },
  'test:starts': {
    entry: 'infra/local/test-starts.mjs',
    says: [
      JEST,
      'The specs that start a service of their own: its first start, its settings, what is shipped.',
    ],
  },
  'test:timing': {
    entry: 'infra/local/test-timing.mjs',
    says: [
      JEST,
      'The specs of what is promised about time, one after another: leave the machine alone meanwhile.',
    ],
  },
  'test:faults': {
    entry: 'infra/local/test-faults.mjs',
    says: [
      JEST,
      'The specs over real PostgreSQL, Redis, Kafka, S3 and mail, which it installs as root on Debian, starts and ends.',
    ],
  },
  'test:outages': {
    entry: 'infra/local/test-outages.mjs',
    says: [JEST, 'The specs that kill and pause real servers and services under load, for minutes each.'],
  },
  'test:nightly': {
    entry: 'infra/local/test-nightly.mjs',
    says: [
      '[-- <names of phases>]',
      'Everything that .ci/run leaves out, or these phases of it, with random seeds.',
    ],
  },
  'test:separate': {
    entry: 'infra/local/test-separate.mjs',
    says: [
      JEST,
      'The end-to-end specs of the one process once more, over separate services and real servers.',
    ],
  },
  'test:clients': {
    entry: 'infra/local/test-clients.mjs',
    says: [
      '[-- --write] [<arguments for Jest>]',
      "Every client of docs/clients.md over every upstream, and coding agents through nginx. --write writes the page; -t 'LangChain' runs some of the clients.",
    ],
  },
  'test:docs:python': {
    entry: 'infra/local/test-docs-python.mjs',
    says: [JEST, 'The Python of the docs, with the clients that it installs.'],
  },
  'test:fuzz': {
    entry: 'infra/local/test-fuzz.mjs',
    says: [JEST, 'Made-up calls of every route of the OpenAPI document, with the fuzzer that it installs.'],
  },
  'test:upgrade': {
    entry: 'infra/local/test-upgrade.mjs',
    says: [
      JEST,
      'Rolls from the version before to this one and back, one service after the other under load. Builds that version from the history of the clone.',
    ],
  },
  'test:compose': {
    entry: 'infra/local/test-compose.mjs',
    says: [
      '',
      'The commands of docs/deploy.md for Compose, on the Docker engine that is there, and a restart.',
    ],
  },
  'test:kubernetes': {
    entry: 'infra/local/test-kubernetes.mjs',
    says: [
      '[-- [--installed] [--other-tag <tag>] | --api-server]',
      "The commands of docs/deploy.md for Kubernetes on the cluster that kubectl reaches, or the installation of dev that is there: every connection, and rolling, killed and drained pods under load, with --other-tag also upgrades from the version before, whose images have that tag, and back; then the dashboard's figures, autoscaling and the Ingress. Or every object of the overlays and of the chart before Kubernetes' own API server, which it builds with Go.",
    ],
  },
  'test:heavy': {
    entry: 'infra/local/test-heavy.mjs',
    says: [JEST, 'The specs that take minutes each (*.heavy.spec.ts), one after another.'],
  },
  'test:console': {
    entry: 'infra/local/test-console.mjs',
    says: [
      '[-- <paths>] [<arguments for Jest>]',
      'Every state of every page of the console in both themes and widths, and every page over the service; or these specs of it.',
    ],
  },
  'test:console-scale': {
    entry: 'infra/console/at-scale.mjs',
    says: [
      '[-- --rows=1000000 --minutes=10]',
      'The console over that many requests, and its live list for so many minutes.',
    ],
  },
  screenshots: {
    entry: 'infra/console/screenshots.mjs',
    says: [
      '[-- <names of pictures>] [--wide=1280] [--scheme=light|dark] [--to=docs/console]',
      'Takes the pictures of docs/console, or these of infra/console/shots.mjs.',
    ],
  },
  bench: {
    entry: 'infra/bench/bench.mjs',
    says: [
      '[-- <options>]',
      `Measures Svc beside its baselines, in one run on this machine.

  --scenario a,b   only these; a name that is none lists them
  --rounds n       how often everything is measured (3)
  --quick          short rounds, to see that it works: the figures say little
  --full           memory with 500,000 calls, growth with 10,000,000 stored calls
  --output folder  where the report goes; without it docs/benchmarks (all figures: artifacts/bench/latest.json), and nowhere
                   for a part or a quick run
  --external text  one more candidate, and --upstream-port for it: see docs/benchmarks/README.md
                   (SVC_BENCH_BIFROST and SVC_BENCH_TENSORZERO name binaries of these peers)
  --check          the guard: fails when the steps of a call allocate more than they may, or a call costs much more
                   than it should beside the bare proxy
  --published      says whether docs/benchmarks/latest.md is of today's request path, and fails when it is not`,
    ],
  },
  'bench:scale': {
    entry: 'infra/bench/scale.mjs',
    says: [
      '-- alerts|usage|holds|incident|exports|files|affinity',
      'Measures one thing at the size of a large installation, over a database of its own. affinity writes docs/benchmarks/affinity.md.',
    ],
  },
  lint: { entry: 'infra/local/lint.mjs', says: ['', 'ESLint over what has changed, and Prettier.'] },
  typecheck: {
    entry: 'infra/local/typecheck.mjs',
    says: ['', 'Checks the types of the whole workspace, after the first time only what changed.'],
  },
  format: {
    entry: 'infra/local/format.mjs',
    says: ['[-- <files>]', 'Writes every file, or these, as Prettier wants it.'],
  },
  sbom: {
    entry: 'infra/local/sbom.mjs',
    says: [
      '[-- package|<names of apps>] [--to=artifacts/sbom]',
      'Writes bills of materials (CycloneDX): of the package, and of the image of each app.',
    ],
  },
  migrate: {
    entry: 'infra/local/migrate.mjs',
    isLean: true,
    says: ['', 'Brings the database of SVC_DATABASE_URL to the schema of this version.'],
  },
  'reset-password': {
    entry: 'infra/local/reset-password.mjs',
    isLean: true,
    says: ['-- <e-mail address>', 'Prints a link with which the user sets a new password.'],
  },
};

export const usageOf = (name) => {
  const [args, what] = scripts[name].says;
  return `${['npm run', name, args].filter(Boolean).join(' ')}\n\n${what}\n`;
};
