import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestDatabase, type TestDatabase } from '../testing';
import { withClient } from './client';
import { prismaEnvironment } from './config';
import { migrate } from './migrate';
import { findWorkspace } from './migration-files';

const workspace = findWorkspace(__dirname);
let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

describe('the migrations', () => {
  it('make the tables that the Prisma schema describes', async () => {
    const cli = createRequire(join(workspace, 'package.json')).resolve('prisma/build/index.js');
    const [migrations, schema] = ['migrations', 'schema'].map((name) => `libs/database/prisma/${name}`);
    const sides = ['--from-migrations', migrations!, '--to-schema', schema!];
    // Another exit code than 0 for a difference.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'migrate', 'diff', ...sides, '--exit-code'],
      { cwd: workspace, env: prismaEnvironment(test.url) },
    );
    expect(stdout).toContain('No difference detected');
  });
});

describe('the request log by months', () => {
  let url: string;
  const makeDatabase = async (language: string): Promise<void> => {
    const named = new URL(test.url);
    const name = `svc_months_${randomUUID().replaceAll('-', '')}`;
    named.pathname = `/${name}`;
    url = named.href;
    const options = `LOCALE_PROVIDER icu ICU_LOCALE '${language}' TEMPLATE template0`;
    await test.database.background.query(`CREATE DATABASE ${name} ${options}`);
  };
  afterEach(() =>
    test.database.background.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
  );

  it.each(['da', 'cs'])('is refused where ids do not sort by their time: in %s', async (language) => {
    await makeDatabase(language);
    await expect(migrate(url)).rejects.toThrow('does not sort ids by their time');
  });

  it('is made where letters and digits sort as in English, whatever the collation', async () => {
    await makeDatabase('en-US');
    await migrate(url);
    await withClient(url, async (client) => {
      // Near its end the month of now shares the first partition with the next one.
      expect((await client.query('SELECT FROM request_months')).rowCount).toBeGreaterThan(1);
    });
  });
});
