import { openTestDatabase, type TestDatabase } from '../testing';
import { findWorkspace, migrate, runPrisma } from './migrate';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const tableCount = async (): Promise<number> => {
  const { rows } = await test.database.pool.query<{ count: number }>(
    `SELECT count(*)::int FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  return rows[0]!.count;
};

describe('migrations', () => {
  it('are applied already in a second run, which does nothing', async () => {
    const lines: string[] = [];
    const before = await tableCount();
    await migrate(test.url, (line) => lines.push(line));
    expect(lines).toEqual([]);
    expect(before).toBeGreaterThan(25);
    expect(await tableCount()).toBe(before);
  });

  it('are taken up where an earlier run stopped', async () => {
    await test.database.pool.query(
      `DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_ledger';
       DROP VIEW ledger_entries; DROP FUNCTION open_holds, settle_requests`,
    );
    const lines: string[] = [];
    await migrate(test.url, (line) => lines.push(line));
    expect(lines.join('\n')).toContain('_ledger');
    const { rows } = await test.database.pool.query('SELECT * FROM ledger_entries');
    expect(rows).toEqual([]);
  });

  it('make the tables that the Prisma schema describes', async () => {
    const workspace = findWorkspace(__dirname);
    const [migrations, schema] = ['migrations', 'schema'].map((name) => `libs/persistence/prisma/${name}`);
    const sides = ['--from-migrations', migrations!, '--to-schema', schema!];
    const lines: string[] = [];
    const compare = ['migrate', 'diff', ...sides, '--exit-code'];
    await runPrisma(workspace, compare, test.url, (line) => lines.push(line));
    expect(lines.join('\n')).toContain('No difference detected');
  });

  it('say what went wrong, but not the password', async () => {
    const url = new URL(test.url);
    url.port = '1';
    url.password = 'do-not-print';
    await expect(migrate(url.href)).rejects.toThrow('ECONNREFUSED');
    const failing = runPrisma(findWorkspace(__dirname), ['migrate', 'status'], url.href);
    await expect(failing).rejects.toThrow('P1001');
    await expect(failing).rejects.not.toThrow('do-not-print');
  });
});
