import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variablesOf } from './service-variables';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const APPS = ['edge', 'management', 'auth', 'dispatcher', 'worker', 'console', 'simulator', 'all-in-one'];
const SECRET_NAME = /(KEY|KEY_ID|TOKEN|PASSWORD|SECRET|SASL_USERNAME|DATABASE_URL|REDIS_URL|SMTP_URL)$/;

const variables = [...new Set(APPS.flatMap((app) => [...variablesOf(app).read]))]
  .filter((name) => name.startsWith('SVC_') && !name.endsWith('WEBHOOK_SECRET_FILE'))
  .sort();
const page = read('docs/configuration.md');
const [, section = ''] = /^## Secrets in files\n([^]*?)^## /m.exec(page) ?? [];

describe('docs/configuration.md and .env.example', () => {
  it.each(variables)('say what %s is', (name) => {
    expect(page).toContain(`\`${name}\``);
    expect(read('.env.example')).toMatch(new RegExp(`^#${name}=`, 'm'));
  });
});

it('docs/configuration.md says of each secret, and of no other variable, when its file is read', () => {
  const rows = section.split('\n').filter((line) => line.startsWith('| `SVC_'));
  const listed = rows.flatMap((row) => [...row.matchAll(/`(SVC_\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(variables.filter((name) => SECRET_NAME.test(name)));
  for (const row of rows) expect(row).toMatch(/\| (at the (first )?start|every 10 s) +\|$/);
});
