import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../harness/app-process';

/** A row of the table of gateway errors in docs/interface.md. */
export interface ErrorRow {
  /** Status and code, or type where the row gives no code: what tells the rows apart. */
  readonly name: string;
  readonly status: number;
  /** Empty where the row gives none. */
  readonly type: string;
  readonly code: string;
  readonly retriable: boolean;
}

export function errorRows(): readonly ErrorRow[] {
  const page = readFileSync(join(workspaceRoot, 'docs', 'interface.md'), 'utf8');
  const section = /^### Gateway errors$([\s\S]*?)^### /m.exec(page)?.[1] ?? '';
  return Array.from(section.matchAll(/^\| (\d{3}) \|(.*)\|$/gm), ([, status, rest]) => {
    const [type = '', code = '', retry] = (rest ?? '').split('|').map((cell) => cell.trim());
    // The one row for many codes says so in words of its own.
    const [shortCode = ''] = code.split(' ');
    return {
      name: `${status ?? ''} ${shortCode === '' ? type : shortCode}`,
      status: Number(status),
      type,
      code: shortCode,
      retriable: retry === 'yes',
    };
  });
}
