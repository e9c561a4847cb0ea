import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintMigrations } from './lint-migrations';
import { rules } from './rules';
import { statementsOf } from './statements';

const folder = join(__dirname, '../../../libs/database/prisma/migrations');
const migrations = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));

/** The rules that the migrations break; each runs after those before it. */
const brokenBy = (...texts: readonly string[]): readonly string[] =>
  lintMigrations(texts.map((sql, at) => ({ name: `planted_${String(at)}`, sql }))).map(({ rule }) => rule);

const planted: Readonly<Record<string, readonly string[]>> = {
  drop: ['DROP TABLE wallets;', 'drop function if exists open_holds(jsonb);', 'DROP VIEW ledger_entries'],
  'drop-column': [
    'ALTER TABLE api_keys DROP COLUMN "name";',
    'ALTER TABLE ONLY "api_keys"\n  ADD COLUMN x text, -- first\n  DROP IF EXISTS name CASCADE;',
  ],
  rename: [
    'ALTER TABLE api_keys RENAME COLUMN name TO label;',
    'ALTER TABLE api_keys RENAME name TO label;',
    'ALTER TABLE api_keys RENAME TO keys;',
    "ALTER TYPE mood RENAME VALUE 'a' TO 'b';",
  ],
  'change-type': [
    'ALTER TABLE wallets ALTER COLUMN balance_nanos TYPE numeric(20, 0);',
    'ALTER TABLE wallets ALTER balance_nanos SET DATA TYPE text USING balance_nanos::text;',
    'ALTER TABLE wallets SET UNLOGGED;',
  ],
  'set-not-null': ['ALTER TABLE api_keys ALTER COLUMN name SET NOT NULL;'],
  loosen: [
    'ALTER TABLE api_keys ALTER COLUMN name DROP NOT NULL;',
    'ALTER TABLE api_keys ALTER name DROP DEFAULT;',
  ],
  'add-constraint': [
    'ALTER TABLE wallets ADD CONSTRAINT rich CHECK (balance_nanos > 0);',
    'ALTER TABLE wallets ADD CHECK (balance_nanos > 0);',
    'ALTER TABLE members ADD FOREIGN KEY (user_id) REFERENCES users (id);',
    'ALTER TABLE members ADD CONSTRAINT one UNIQUE (user_id, organization_id);',
  ],
  'validate-beside-add': [
    'ALTER TABLE wallets ADD CONSTRAINT rich CHECK (balance_nanos > 0) NOT VALID; ALTER TABLE wallets VALIDATE CONSTRAINT rich;',
  ],
  'add-required-column': ['ALTER TABLE api_keys ADD COLUMN kind text NOT NULL;'],
  'add-computed-column': [
    'ALTER TABLE api_keys ADD COLUMN at timestamptz DEFAULT clock_timestamp();',
    'ALTER TABLE api_keys ADD number bigserial;',
    'ALTER TABLE api_keys ADD COLUMN double int GENERATED ALWAYS AS (2) STORED;',
    'ALTER TABLE api_keys ADD COLUMN kind text CHECK (kind IN (1, 2));',
    'ALTER TABLE api_keys ADD COLUMN owner text REFERENCES users (id);',
  ],
  'create-index': [
    'CREATE INDEX api_keys_name ON api_keys (name);',
    'CREATE UNIQUE INDEX IF NOT EXISTS one ON ONLY "api_keys" (name) WHERE name IS NOT NULL;',
  ],
  'drop-index': ['DROP INDEX api_keys_name;'],
  'concurrently-beside-others': [
    'CREATE INDEX CONCURRENTLY one ON api_keys (name); ALTER TABLE api_keys ADD COLUMN x text;',
    'ALTER TABLE api_keys ADD COLUMN x text; DROP INDEX CONCURRENTLY one;',
  ],
  'unbounded-change': [
    "UPDATE api_keys SET name = 'LIMIT 5';",
    "DELETE FROM api_keys WHERE state = 'revoked';",
    'WITH old AS (SELECT id FROM api_keys) UPDATE api_keys SET name = NULL FROM old;',
    'TRUNCATE outbox_events;',
  ],
  lock: ['LOCK TABLE wallets IN EXCLUSIVE MODE;', 'VACUUM FULL wallets;', 'REINDEX TABLE wallets;'],
  hidden: ["DO $$ BEGIN EXECUTE 'DROP TABLE wallets'; END $$;"],
};

const harmless: readonly string[] = [
  'ALTER TABLE api_keys ADD COLUMN note text;',
  "ALTER TABLE api_keys ADD COLUMN kind text NOT NULL DEFAULT 'plain', ADD COLUMN at timestamptz NOT NULL DEFAULT now();",
  'ALTER TABLE wallets ADD CONSTRAINT rich CHECK (balance_nanos > 0) NOT VALID;',
  'ALTER TABLE wallets VALIDATE CONSTRAINT rich;',
  'ALTER TABLE api_keys ADD CONSTRAINT one UNIQUE USING INDEX api_keys_one;',
  'ALTER TABLE api_keys DROP CONSTRAINT api_keys_check;',
  'ALTER TABLE wallets SET (fillfactor = 50);',
  'CREATE INDEX CONCURRENTLY api_keys_name ON api_keys (name);',
  'DROP INDEX CONCURRENTLY api_keys_name;',
  'UPDATE api_keys SET name = NULL WHERE id IN (SELECT id FROM api_keys LIMIT 100);',
  'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM wallets; DROP TABLE x; END $$;',
  "INSERT INTO settings (text) VALUES ('; DROP TABLE wallets');",
  `CREATE TABLE notes (id text NOT NULL, at timestamptz DEFAULT clock_timestamp());
   ALTER TABLE notes ADD CHECK (id <> ''), ADD COLUMN body text NOT NULL;
   CREATE INDEX notes_at ON notes (at);
   UPDATE notes SET body = '';`,
];

describe('a migration', () => {
  it('of this repository can run beside the previous version, or says why it is safe', () => {
    expect(lintMigrations(migrations).map(({ message }) => message)).toEqual([]);
  });

  it('has a planted violation of each rule', () => {
    expect(Object.keys(planted).sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  it.each(Object.entries(planted).flatMap(([rule, texts]) => texts.map((sql) => [rule, sql] as const)))(
    'is refused by %s: %s',
    (rule, sql) => {
      expect(brokenBy(sql)).toEqual([rule]);
    },
  );

  it.each(harmless)('may contain %s', (sql) => {
    expect(brokenBy(sql)).toEqual([]);
  });

  it('may set NOT NULL after an earlier one has validated a check of it', () => {
    const add = 'ALTER TABLE api_keys ADD CONSTRAINT named CHECK (name IS NOT NULL) NOT VALID;';
    const validate = 'ALTER TABLE api_keys VALIDATE CONSTRAINT named;';
    const set =
      'ALTER TABLE "api_keys" ALTER COLUMN "name" SET NOT NULL; ALTER TABLE api_keys DROP CONSTRAINT named;';
    expect(brokenBy(add, validate, set)).toEqual([]);
    expect(brokenBy(add, set)).toEqual(['set-not-null']);
    expect(brokenBy(add, validate, set.replace('"name"', 'label'))).toEqual(['set-not-null']);
  });

  it('may break a rule only where it says why that is safe', () => {
    const drop = 'ALTER TABLE api_keys DROP COLUMN name;';
    expect(brokenBy(`-- contract: 0.3.0 was the last to read it.\n${drop}`)).toEqual([]);
    expect(brokenBy(`-- contract: 0.3.0 was the last to read it.\n${drop}\n${drop}`)).toEqual([
      'drop-column',
    ]);
    expect(brokenBy(`-- contract:\n${drop}`)).toEqual(['drop-column']);
    expect(brokenBy(`-- It is safe.\n${drop}`)).toEqual(['drop-column']);
  });

  it('is reported with the line and the reason when it breaks a rule', () => {
    const [finding] = lintMigrations([{ name: 'm', sql: 'SELECT 1;\n\n-- why\nDROP TABLE wallets;' }]);
    expect(finding?.message).toMatch(/^m, line 4: drop\. The version before still uses it .+\.$/);
  });

  it('is read statement by statement, whatever is in quotes, comments and bodies', () => {
    const sql = `/* ; */ SELECT ';' AS "A;B"; -- ;\nCREATE FUNCTION f() AS $x$ ; $$ ; $x$; SELECT E'it''s;'`;
    expect(statementsOf(sql).map(({ text }) => text)).toEqual([
      "select '' as a;b",
      "create function f() as ''",
      "select ''",
    ]);
  });
});
