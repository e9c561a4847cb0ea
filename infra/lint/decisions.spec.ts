import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../docs/decisions');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const decisions = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));

describe('the decisions', () => {
  it.each(decisions)('%s has a unique number, a date and a status, and is in the index', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const number = name.slice(0, 4);
    expect(decisions.filter((other) => other.startsWith(number))).toEqual([name]);
    const title = new RegExp(
      `^# ${number}\\. (.+)\\n\\n(Accepted|Superseded by \\d{4}), (\\d{4}-\\d{2}-\\d{2})\\.\\n`,
    ).exec(text);
    expect(title).not.toBeNull();
    const [, heading = '', status = '', date = ''] = title!;
    const row = index.split('\n').find((line) => line.includes(`(${name})`));
    expect(row).toContain(`[${heading}]`);
    expect(row).toContain(date);
    expect(row?.toLowerCase()).toContain(status.toLowerCase());
  });
});
