export interface Statement {
  /** The line of its start, from 1. */
  readonly line: number;
  /** In lower case, on one line, without comments and quotes; literals and bodies of functions are empty. */
  readonly text: string;
  /** The text after `-- contract:` in the comments before it or in it; null without one. */
  readonly contract: string | null;
}

const TOKEN =
  /(?<comment>--[^\n]*|\/\*[^]*?\*\/)|(?<literal>\$(?<tag>\w*)\$[^]*?\$\k<tag>\$|[eE]?'(?:[^']|'')*')|"(?<name>(?:[^"]|"")+)"|(?<end>;)|[^]/g;
const CONTRACT = /^--\s*contract:\s*(?<why>.+)$/;

/** The statements of a migration, in their order. */
export function statementsOf(sql: string): readonly Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let contract: string | null = null;
  let startsAt: number | null = null;
  const end = (): void => {
    const oneLine = text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
    if (oneLine !== '') {
      const line = sql.slice(0, startsAt ?? 0).split('\n').length;
      statements.push({ line, text: oneLine, contract });
    }
    [text, contract, startsAt] = ['', null, null];
  };
  for (const { 0: token, index, groups = {} } of sql.matchAll(TOKEN)) {
    const { comment, literal, name, end: isEnd } = groups;
    if (comment !== undefined) {
      contract ??= CONTRACT.exec(comment)?.groups?.['why']?.trim() ?? null;
      text += ' ';
      continue;
    }
    if (isEnd !== undefined) {
      end();
      continue;
    }
    if (token.trim() !== '') startsAt ??= index;
    text += literal === undefined ? (name ?? token) : "''";
  }
  end();
  return statements;
}

/** The parts of a list, such as the actions of an ALTER TABLE: split at commas outside parentheses. */
export function listedIn(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
