import { eventually } from '@svc/testing';
import { createLogger } from '../observability';
import { followConfig } from './follow-config';

it('the configuration follows its files, and stays as it was while they are wrong', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'spec', level: 'info' }, { write: (line) => void lines.push(line) });
  let reads = 0;
  let read = () => 'second';
  const current = followConfig({ read: () => (reads++, read()), initial: 'first', logger, readEveryMs: 5 });
  expect(current()).toBe('first');
  await eventually(() => {
    expect(current()).toBe('second');
  });
  read = () => {
    throw new Error('SVC_SMTP_URL_FILE names an empty file: /run/secrets/smtp');
  };
  const before = reads;
  await eventually(() => {
    expect(reads).toBeGreaterThan(before + 2);
  });
  expect([current(), lines.length]).toEqual(['second', 1]);
  read = () => 'third';
  await eventually(() => {
    expect(current()).toBe('third');
  });
});
