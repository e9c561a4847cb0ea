import { listedIn, type Statement } from './statements';

export interface Context {
  /** Whether the same migration created the table: nobody uses it yet, and it is empty. */
  readonly isNew: (table: string) => boolean;
  /** All earlier statements, of this migration and of those before it. */
  readonly earlier: readonly string[];
  readonly statementCount: number;
}

interface Rule {
  readonly name: string;
  /** Why such a statement must not run beside the previous version, and what to do instead. */
  readonly reason: string;
  readonly isBroken: (statement: Pick<Statement, 'text'>, context: Context) => boolean;
}

const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?(?<table>[\w.]+) (?<actions>.*)$/;

interface Action {
  readonly table: string;
  readonly action: string;
}

/** The actions of an ALTER TABLE on a table in use. */
function actionsOf(text: string, { isNew }: Context): readonly Action[] {
  const { table = '', actions = '' } = ALTER_TABLE.exec(text)?.groups ?? {};
  return actions === '' || isNew(table) ? [] : listedIn(actions).map((action) => ({ table, action }));
}

const byAction =
  (
    pattern: RegExp,
    isHarmless: (action: Action, context: Context) => boolean = () => false,
  ): Rule['isBroken'] =>
  ({ text }, context) =>
    actionsOf(text, context).some((each) => pattern.test(each.action) && !isHarmless(each, context));

const byText =
  (pattern: RegExp): Rule['isBroken'] =>
  ({ text }, { isNew }) => {
    const match = pattern.exec(text);
    return match !== null && !isNew(match.groups?.['table'] ?? '');
  };

/** Whether a validated CHECK already proves it: then PostgreSQL does not scan the table. */
function isKnownNotNull({ table, action }: Action, { earlier }: Context): boolean {
  const column = /^alter (?:column )?(\w+)/.exec(action)?.[1] ?? '';
  const check = new RegExp(
    `^alter table (?:only )?${table} add constraint (\\w+) check \\( ?${column} is not null ?\\) not valid$`,
  );
  const names = earlier.flatMap((text) => check.exec(text)?.[1] ?? []);
  return names.some((name) => earlier.includes(`alter table ${table} validate constraint ${name}`));
}

/** Each rule is about two versions that run at once, or about a lock that blocks the running one. */
export const rules: readonly Rule[] = [
  {
    name: 'drop',
    reason:
      'The version before still uses it while both run. Stop using it in one release, drop it in a later one.',
    isBroken: byText(
      /^drop (?:table|view|materialized view|function|procedure|type|domain|sequence|schema) (?:if exists )?(?<table>[\w.]+)/,
    ),
  },
  {
    name: 'drop-column',
    reason:
      'The version before still reads and writes the column. Stop using it in one release, drop it in a later one.',
    isBroken: byAction(/^drop (?!constraint\b|expression\b)/),
  },
  {
    name: 'rename',
    reason:
      'The version before knows the old name only. Add the new one, write both, move what is there, and drop the old one in a later release.',
    isBroken: (statement, context) =>
      byAction(/^rename (?!constraint\b)/)(statement, context) ||
      byText(/^alter (?:type|view|function|sequence|domain) (?<table>[\w.]+)(?: ?\(.*?\))? rename /)(
        statement,
        context,
      ),
  },
  {
    name: 'change-type',
    reason:
      'It rewrites the table under a lock that stops every read. Add a column of the new type, write both, move what is there.',
    isBroken: byAction(
      /^(?:alter (?:column )?\w+ (?:set data )?type |set (?:logged|unlogged|tablespace|access method)\b)/,
    ),
  },
  {
    name: 'set-not-null',
    reason:
      'It reads the whole table under a lock that stops every read. Add CHECK (… IS NOT NULL) NOT VALID, validate it in a migration of its own, then set it.',
    isBroken: byAction(/^alter (?:column )?\w+ set not null/, isKnownNotNull),
  },
  {
    name: 'loosen',
    reason:
      'The version before counts on the value or the default. Make it ready for a NULL, or for giving the value itself, one release earlier.',
    isBroken: byAction(/^alter (?:column )?\w+ drop (?:not null|default)/),
  },
  {
    name: 'add-constraint',
    reason:
      'It reads the whole table while writes wait, and the version before may break it. Add it NOT VALID, and validate it in a migration of its own; a unique one is made of an index that was built CONCURRENTLY (USING INDEX).',
    isBroken: byAction(
      /^add (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b/,
      ({ action }) => /\bnot valid\b|\busing index\b/.test(action),
    ),
  },
  {
    name: 'validate-beside-add',
    reason:
      'In one transaction with what adds it, the lock of adding is held while the table is read. Validate it in a migration of its own.',
    isBroken: (statement, context) =>
      context.statementCount > 1 && byAction(/^validate constraint/)(statement, context),
  },
  {
    name: 'add-required-column',
    reason:
      'The version before leaves the column out of its inserts. Give it a constant DEFAULT, or let it be NULL.',
    isBroken: byAction(/^add (?:column )?(?!constraint\b).*\bnot null\b(?!.*\bdefault\b)/, ({ action }) =>
      /\bdefault\b|\bgenerated\b/.test(action),
    ),
  },
  {
    name: 'add-computed-column',
    reason:
      'It rewrites the table, or reads it whole, under a lock that stops every read. Add a column that is NULL or constant, then fill it and constrain it.',
    isBroken: byAction(
      /^add (?:column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b).*(?:\b(?:big|small)?serial\b|\bgenerated\b|\bcheck ?\(|\breferences\b|\bunique\b|\bprimary key\b|\bdefault (?!now\(|current_timestamp\b)\(?[a-z_.]+ ?\()/,
    ),
  },
  {
    name: 'create-index',
    reason: 'Writes wait until it is built. CREATE INDEX CONCURRENTLY, alone in its migration.',
    isBroken: byText(/^create (?:unique )?index (?!concurrently\b).*?\bon (?:only )?(?<table>[\w.]+)/),
  },
  {
    name: 'drop-index',
    reason:
      'It waits for a lock that stops every read, and the version before may need the index. DROP INDEX CONCURRENTLY, alone in its migration.',
    isBroken: byText(/^drop index (?!concurrently\b)/),
  },
  {
    name: 'concurrently-beside-others',
    reason:
      'Statements of one migration run as one transaction, in which nothing runs CONCURRENTLY. Give it a migration of its own.',
    isBroken: ({ text }, { statementCount }) =>
      statementCount > 1 && /^(?:create|drop|reindex)\b.*\bconcurrently\b/.test(text),
  },
  {
    name: 'unbounded-change',
    reason:
      'Every row stays locked until the migration ends. Let the worker move rows in batches, or bound it: … IN (SELECT … LIMIT n).',
    isBroken: ({ text }, { isNew }) => {
      const target =
        /^(?:with\b.*?\) ?)?(?:update (?:only )?|delete from (?:only )?|truncate (?:table )?)(?<table>[\w.]+)/.exec(
          text,
        );
      return target !== null && !isNew(target.groups?.['table'] ?? '') && !/\blimit \d+/.test(text);
    },
  },
  {
    name: 'lock',
    reason: 'Whatever it is for, calls wait for as long as the migration runs.',
    isBroken: byText(
      /^(?:lock (?:table )?(?<table>[\w.]+)|vacuum full|cluster\b|reindex (?!.*\bconcurrently\b))/,
    ),
  },
  {
    name: 'hidden',
    reason: 'What a block does is in a text that nobody checks. Write its statements out.',
    isBroken: byText(/^do /),
  },
];
