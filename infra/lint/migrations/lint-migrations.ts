import { rules } from './rules';
import { statementsOf } from './statements';

interface Migration {
  readonly name: string;
  readonly sql: string;
}

interface Finding {
  readonly rule: string;
  /** One line: where, which rule, and why. */
  readonly message: string;
}

const CREATED = /^create (?:unlogged )?table (?:if not exists )?(?<table>[\w.]+)/;

/**
 * Statements of these migrations, oldest first, that cannot run beside the previous version. A statement that breaks a rule on
 * purpose, in the contract phase of a change, says why it is safe in a comment before it: `-- contract: <why>`.
 */
export function lintMigrations(migrations: readonly Migration[]): readonly Finding[] {
  const findings: Finding[] = [];
  const earlier: string[] = [];
  for (const { name, sql } of migrations) {
    const created = new Set<string>();
    const statements = statementsOf(sql);
    for (const statement of statements) {
      const context = {
        isNew: (table: string) => created.has(table),
        earlier,
        statementCount: statements.length,
      };
      const broken =
        statement.contract !== null ? [] : rules.filter(({ isBroken }) => isBroken(statement, context));
      for (const { name: rule, reason } of broken) {
        findings.push({ rule, message: `${name}, line ${String(statement.line)}: ${rule}. ${reason}` });
      }
      created.add(CREATED.exec(statement.text)?.groups?.['table'] ?? '');
      earlier.push(statement.text);
    }
  }
  return findings;
}
