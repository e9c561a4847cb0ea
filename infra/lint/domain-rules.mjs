// Imports that the layers of a lib by domain may have: rules/ (pure), store/, work/, and adapters named after what they adapt.

/** Libs by domain (docs/decisions/0056). A pure lib is rules alone, and has no layers. */
const DOMAINS = [
  'access',
  'alerts',
  'approvals',
  'deliveries',
  'exports',
  'fine-tuning',
  'incidents',
  'ledger',
  'payments',
  'policy',
  'usage',
];
const LIBS = `libs/{${DOMAINS.join()}}/src`;

/** The rules of the domains, and what their libs export of them. */
export const DOMAIN_RULES = [`${LIBS}/rules/**/*.ts`, `${LIBS}/index.ts`];

const database = ['@svc/database', '@svc/database/*'];
const stores = ['**/store', '**/store/**', '@svc/*/store'];
const work = ['**/work', '**/work/**', '@svc/*/work'];
const adapters = ['**/stripe', '**/stripe/**', '**/providers', '**/providers/**'];
const machines = ['@svc/runtime', '@svc/http', '@svc/http/*', '@svc/messaging', '@svc/redis', '@svc/storage'];
const frameworks = ['@nestjs/*', 'fastify', 'undici', 'rxjs', 'pino', 'prom-client'];

/** Who loads a store loads neither Nest nor Fastify. */
export const noFrameworks = {
  regex: '^(@svc/http|@nestjs/.*|fastify|undici|rxjs|pino|prom-client)$',
  message: 'Stores load no framework: a machine’s clock, ids, logs and metrics are in @svc/runtime.',
};

const LAYERS = [
  {
    files: ['libs/api/src/**/*.ts'],
    group: [...stores, ...work],
    message: 'Routes are declared by rules alone: an app brings the stores.',
  },
  {
    // An adapter of what a domain has outside: it is asked by work/, and stores nothing.
    files: [`${LIBS}/*/**/*.ts`],
    group: [...database, ...stores, ...work],
    message: 'Only store/ and work/ know the database.',
  },
  {
    files: DOMAIN_RULES,
    group: [...database, ...stores, ...work, ...adapters, ...machines, ...frameworks],
    message: 'Rules are pure: they know no other layer, no machine and no framework.',
  },
  {
    files: [`${LIBS}/store/**/*.ts`],
    group: [...work, ...adapters],
    message: 'A store knows the rules and the database alone: what is asked outside is work/.',
    patterns: [noFrameworks],
  },
  {
    files: [`${LIBS}/work/**/*.ts`],
    group: adapters,
    message: 'Work is given its adapters.',
    patterns: [noFrameworks],
  },
];

/** @param restricted makes the config of files that must not import this either. */
export const domainRules = (restricted) =>
  LAYERS.map(({ files, group, message, patterns = [] }) =>
    restricted({ files, patterns: [{ group, message }, ...patterns] }),
  );
