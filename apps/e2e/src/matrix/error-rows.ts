import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableRows } from '@svc/testing';
import { workspaceRoot } from '../harness/app-process';

/** A row of the table of docs/reference/errors.md. */
interface ErrorRow {
  /** Identifies the row: status and code, and "retriable" for one of two rows with the same. */
  readonly name: string;
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly retriable: boolean;
}

export function errorRows(): readonly ErrorRow[] {
  const page = readFileSync(join(workspaceRoot, 'docs/reference/errors.md'), 'utf8');
  const rows = tableRows(page, '## The codes').map(([status = '', code = '', type = '', retriable]) => ({
    name: `${status} ${code.replaceAll('`', '')}`,
    status: Number(status),
    type: type.replaceAll('`', ''),
    code: code.replaceAll('`', ''),
    retriable: retriable === 'yes',
  }));
  const isSecond = ({ name }: ErrorRow, at: number) => rows.findIndex((other) => other.name === name) < at;
  return rows.map((row, at) => (isSecond(row, at) ? { ...row, name: `${row.name}, retriable` } : row));
}
