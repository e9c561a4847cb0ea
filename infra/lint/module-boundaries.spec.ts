import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Snippet {
  readonly path: string;
  readonly text: string;
}

const use = (specifier: string) => `import * as planted from '${specifier}';\nexport const kept = planted;\n`;
const BOUNDARY = '@nx/enforce-module-boundaries';
const WEB = 'apps/console/web';

const violations: readonly (Snippet & { readonly what: string; readonly rule: string })[] = [
  {
    what: 'a domain lib on a framework',
    path: 'libs/catalog/src/planted.ts',
    text: use('@nestjs/common'),
    rule: BOUNDARY,
  },
  {
    what: 'a domain lib on an HTTP client',
    path: 'libs/protocol/src/planted.ts',
    text: use('undici'),
    rule: BOUNDARY,
  },
  {
    what: 'the kernel on an adapter',
    path: 'libs/kernel/src/planted.ts',
    text: use('@svc/database'),
    rule: BOUNDARY,
  },
  {
    what: 'the kernel on another domain lib',
    path: 'libs/kernel/src/planted.ts',
    text: use('@svc/access'),
    rule: BOUNDARY,
  },
  {
    what: 'a domain lib on one it must not know',
    path: 'libs/events/src/planted.ts',
    text: use('@svc/catalog'),
    rule: BOUNDARY,
  },
  {
    what: 'the HTTP lib on an adapter',
    path: 'libs/http/src/planted.ts',
    text: use('@svc/messaging'),
    rule: BOUNDARY,
  },
  {
    what: 'the HTTP lib on the API lib',
    path: 'libs/http/src/planted.ts',
    text: use('@svc/api'),
    rule: BOUNDARY,
  },
  {
    what: 'an adapter on the API lib',
    path: 'libs/database/src/planted.ts',
    text: use('@svc/api'),
    rule: BOUNDARY,
  },
  {
    what: 'a domain lib on the API lib',
    path: 'libs/limits/src/planted.ts',
    text: use('@svc/api/oauth-routes'),
    rule: BOUNDARY,
  },
  {
    what: 'an adapter on another adapter',
    path: 'libs/messaging/src/planted.ts',
    text: use('@svc/database'),
    rule: BOUNDARY,
  },
  {
    what: 'an app on another app',
    path: 'apps/edge/src/planted.ts',
    text: use('@svc/worker'),
    rule: BOUNDARY,
  },
  {
    what: 'the database lib on a domain',
    path: 'libs/database/src/planted.ts',
    text: use('@svc/payments'),
    rule: BOUNDARY,
  },
  {
    what: 'a store on the lib of events’ transport',
    path: 'libs/payments/src/store/planted.ts',
    text: use('@svc/messaging'),
    rule: BOUNDARY,
  },
  {
    what: 'the rules of a domain on the database',
    path: 'libs/payments/src/rules/planted.ts',
    text: use('@svc/database'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the rules of a domain on its store',
    path: 'libs/payments/src/rules/planted.ts',
    text: use('../store/payment-store'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'what a domain exports on its store',
    path: 'libs/payments/src/index.ts',
    text: use('./store'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the rules of a domain on a framework',
    path: 'libs/payments/src/rules/planted.ts',
    text: use('@nestjs/common'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the clock in the rules of a domain',
    path: 'libs/payments/src/rules/planted.ts',
    text: 'export const at = Date.now();\n',
    rule: 'no-restricted-properties',
  },
  {
    what: 'an adapter of a domain on the database',
    path: 'libs/payments/src/stripe/planted.ts',
    text: use('@svc/database'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a store on work',
    path: 'libs/payments/src/store/planted.ts',
    text: use('../work/payment-settlement'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a store on an adapter',
    path: 'libs/payments/src/store/planted.ts',
    text: use('../stripe/open-stripe'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'work on an adapter',
    path: 'libs/payments/src/work/planted.ts',
    text: use('../stripe'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a store on the lib of HTTP',
    path: 'libs/payments/src/store/planted.ts',
    text: use('@svc/http'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the lib over the database on a framework',
    path: 'libs/database/src/planted.ts',
    text: use('@nestjs/common'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the runtime on a framework',
    path: 'libs/runtime/src/planted.ts',
    text: use('@nestjs/common'),
    rule: BOUNDARY,
  },
  {
    what: 'the API lib on a store',
    path: 'libs/api/src/planted.ts',
    text: use('@svc/approvals/store'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a driver in a store',
    path: 'libs/payments/src/store/planted.ts',
    text: use('pg'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the inside of another lib',
    path: 'apps/edge/src/planted.ts',
    text: use('../../../libs/kernel/src/ids'),
    rule: BOUNDARY,
  },
  {
    what: 'a driver in an app',
    path: 'apps/edge/src/planted.ts',
    text: use('pg'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a driver in another adapter',
    path: 'libs/messaging/src/planted.ts',
    text: use('@prisma/client'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the client of Kafka in an app',
    path: 'apps/edge/src/planted.ts',
    text: use('kafkajs'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a transport of events in an app',
    path: 'apps/dispatcher/src/planted.ts',
    text: "export { ServerKafka } from '@nestjs/microservices';\n",
    rule: 'no-restricted-imports',
  },
  {
    what: 'test support outside a spec',
    path: 'apps/edge/src/planted.ts',
    text: use('@svc/testing'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a contract of specs outside of them',
    path: 'libs/storage/src/planted.ts',
    text: use('./object-store.contract'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the clock in a pure lib',
    path: 'libs/catalog/src/planted.ts',
    text: 'export const at = Date.now();\n',
    rule: 'no-restricted-properties',
  },
  {
    what: 'a new Date in a pure lib',
    path: 'libs/events/src/planted.ts',
    text: 'export const at = new Date();\n',
    rule: 'no-restricted-syntax',
  },
  {
    what: 'randomness in a pure lib',
    path: 'libs/limits/src/planted.ts',
    text: 'export const dice = Math.random();\n',
    rule: 'no-restricted-properties',
  },
  {
    what: 'a timer in a pure lib',
    path: 'libs/protocol/src/planted.ts',
    text: 'setTimeout(() => undefined, 1);\n',
    rule: 'no-restricted-globals',
  },
  {
    what: 'the environment in a pure lib',
    path: 'libs/kernel/src/planted.ts',
    text: 'export const { env } = process;\n',
    rule: 'no-restricted-globals',
  },
  {
    what: 'the environment outside a config.ts',
    path: 'apps/edge/src/planted.ts',
    text: "export const port = process.env['SVC_PORT'];\n",
    rule: 'no-restricted-properties',
  },
  {
    what: 'a default export',
    path: 'apps/edge/src/planted.ts',
    text: 'export default function planted() {\n  return 1;\n}\n',
    rule: 'no-restricted-exports',
  },
  {
    what: 'any',
    path: 'apps/edge/src/planted.ts',
    text: 'export const planted = (value: any) => String(value);\n',
    rule: '@typescript-eslint/no-explicit-any',
  },
  {
    what: 'the console on an adapter',
    path: 'apps/console/src/planted.ts',
    text: use('@svc/database'),
    rule: BOUNDARY,
  },
  {
    what: 'browser code on a lib of the services',
    path: `${WEB}/session/planted.ts`,
    text: use('@svc/http'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'browser code on Node.js',
    path: `${WEB}/format/planted.ts`,
    text: use('node:fs'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the library of parts in a page',
    path: `${WEB}/pages/keys/planted.tsx`,
    text: use('@base-ui/react/dialog'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a page on another page',
    path: `${WEB}/pages/keys/planted.tsx`,
    text: use('../wallet/text'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the parts of the console on the frame of its pages',
    path: `${WEB}/ui/fields/planted.tsx`,
    text: use('../../frame/page'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the reads of the console on its parts',
    path: `${WEB}/api/planted.ts`,
    text: use('../ui/button/button'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the session on the reads',
    path: `${WEB}/session/planted.ts`,
    text: use('../api/client'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'what pages share on a page',
    path: `${WEB}/calls/planted.ts`,
    text: use('../pages/keys/text'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'one layer of the console on another of the same height',
    path: `${WEB}/calls/planted.ts`,
    text: use('../deliveries/delivery'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a page on the application around it',
    path: `${WEB}/pages/keys/planted.tsx`,
    text: use('../../app/router'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'the frame of the operator on a page',
    path: `${WEB}/operator/frame/planted.tsx`,
    text: use('../pages/health/text'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a page of the operator on the application around it',
    path: `${WEB}/operator/pages/health/planted.tsx`,
    text: use('../../app/router'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'a page of the operator on the application of the console',
    path: `${WEB}/operator/pages/health/planted.tsx`,
    text: use('../../../app/shell/shell'),
    rule: 'no-restricted-imports',
  },
  {
    what: 'markup made of data',
    path: `${WEB}/ui/planted.tsx`,
    text: 'export const Planted = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />;\n',
    rule: 'no-restricted-syntax',
  },
  {
    what: 'markup written into the page',
    path: `${WEB}/ui/planted.ts`,
    text: 'export const planted = (element: Element, html: string) => (element.innerHTML = html);\n',
    rule: 'no-restricted-syntax',
  },
  {
    what: 'code made of text in browser code',
    path: `${WEB}/app/planted.ts`,
    text: "export const planted = new Function('return 1');\n",
    rule: 'no-new-func',
  },
  {
    what: 'an amount as a number',
    path: `${WEB}/format/planted.ts`,
    text: 'export const planted = (cost: { amount_nanos: bigint }) => Number(cost.amount_nanos);\n',
    rule: 'no-restricted-syntax',
  },
  {
    what: 'a rounded amount',
    path: `${WEB}/format/planted.ts`,
    text: 'export const planted = (nanos: number) => (nanos / 1e9).toFixed(2);\n',
    rule: 'no-restricted-syntax',
  },
  {
    what: "the browser's storage outside its file",
    path: `${WEB}/session/planted.ts`,
    text: "export const planted = window.localStorage.getItem('org');\n",
    rule: 'no-restricted-properties',
  },
  {
    what: 'a call outside api/',
    path: `${WEB}/pages/keys/planted.ts`,
    text: "export const planted = fetch('/api/v1/keys');\n",
    rule: 'no-restricted-globals',
  },
];

const allowed: readonly (Snippet & { readonly what: string })[] = [
  {
    what: 'an app on domain, HTTP, API and adapter libs',
    path: 'apps/management/src/planted.ts',
    text: ['kernel', 'policy', 'http', 'api', 'database']
      .map((lib) => `export * as ${lib} from '@svc/${lib}';\n`)
      .join(''),
  },
  {
    what: 'a store on the database and on its rules',
    path: 'libs/payments/src/store/planted.ts',
    text: use('@svc/database') + "export * from '../rules/card';\n",
  },
  {
    what: 'work on the database and on its store',
    path: 'libs/payments/src/work/planted.ts',
    text: use('@svc/database') + "export * from '../store/payment-store';\n",
  },
  { what: 'the composition on an app', path: 'apps/all-in-one/src/planted.ts', text: use('@svc/edge') },
  { what: 'the driver in its own lib', path: 'libs/database/src/planted.ts', text: use('pg') },
  {
    what: 'handlers of events in an app',
    path: 'apps/dispatcher/src/planted.ts',
    text: "export { type ClientProxy, EventPattern, Payload } from '@nestjs/microservices';\n",
  },
  {
    what: 'a transport of events in its own lib',
    path: 'libs/messaging/src/planted.ts',
    text: "export { Server } from '@nestjs/microservices';\n",
  },
  { what: 'a page on the parts', path: `${WEB}/pages/keys/planted.tsx`, text: use('../../ui/button') },
  {
    what: 'the frame of pages on the parts',
    path: `${WEB}/frame/planted.tsx`,
    text: use('../ui/button/button'),
  },
  {
    what: 'the application of the operator on parts of the console’s',
    path: `${WEB}/operator/app/planted.tsx`,
    text: use('../../app/shell/dropped-notice'),
  },
  { what: 'the parts on their library', path: `${WEB}/ui/planted.tsx`, text: use('@base-ui/react/dialog') },
  {
    what: 'the own parts of a page',
    path: `${WEB}/pages/keys/parts/planted.tsx`,
    text: use('../text'),
  },
  { what: 'test support in a spec', path: 'apps/edge/src/planted.spec.ts', text: use('@svc/testing') },
  {
    what: 'the environment in a config.ts',
    path: 'apps/edge/src/config.ts',
    text: "export const port = process.env['SVC_PORT'];\n",
  },
  {
    what: 'a time that is passed to a pure lib',
    path: 'libs/catalog/src/planted.ts',
    text: 'export const at = (timeMs: number) => new Date(timeMs);\n',
  },
];

/** The findings of the workspace's ESLint for each text; none is written to disk. */
function lint(snippets: readonly Snippet[]): string[][] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'lint-snippets.mjs')], {
    cwd: join(__dirname, '../..'),
    input: JSON.stringify(snippets),
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false' },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout.slice(stdout.indexOf('[['))) as string[][];
}

describe('the boundaries between modules', () => {
  let findings: string[][];
  beforeAll(() => {
    findings = lint([...violations, ...allowed]);
  }, 60_000);

  it.each(violations.map(({ what, rule }, at) => [what, rule, at] as const))(
    'refuse %s (%s)',
    (_, rule, at) => {
      expect(findings[at]).toEqual([rule]);
    },
  );

  it.each(allowed.map(({ what }, at) => [what, at] as const))('allow %s', (_, at) => {
    expect(findings[violations.length + at]).toEqual([]);
  });
});
