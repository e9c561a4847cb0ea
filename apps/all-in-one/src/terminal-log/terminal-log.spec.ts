import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, type Logger } from '@svc/runtime/observability';
import { LogFile } from './log-file';
import { shortLine } from './short-line';
import { terminalLog } from './terminal-log';

const GATHERED_MS = 50;
const CALL = {
  request_id: 'req_1',
  route: 'chat_completions',
  organization_id: 'org_1',
  model: 'simulator/echo',
  provider: 'simulator',
  outcome: 'succeeded',
  customer_nanos: 10_500,
  duration_ms: 36,
};

/** The logger's output as short lines. */
const shown = (act: (logger: Logger) => void): string => {
  const lines: string[] = [];
  act(createLogger({ service: 'svc', level: 'info' }, { write: (line) => void lines.push(line) }));
  return lines.map(shortLine).join('\n');
};

describe('the short line', () => {
  it('of a call says the model, what became of it, its price, how long it took and its id', () => {
    expect(shown((logger) => void logger.info(CALL, 'inference call'))).toMatch(
      /^\d\d:\d\d:\d\d {2}chat_completions {2}simulator\/echo {2}simulator {2}succeeded {2}\$0\.0000105 {2}36 ms {2}req_1$/,
    );
  });

  it('of a call that was refused says why', () => {
    const { route, request_id } = CALL;
    const facts = { route, request_id, outcome: 'refused', error_code: 'insufficient_balance' };
    expect(shown((logger) => void logger.info(facts, 'inference call'))).toMatch(
      /chat_completions {2}refused {2}insufficient_balance {2}req_1$/,
    );
  });

  it('of a request says method, route and status', () => {
    const facts = { request_id: 'req_2', method: 'GET', route: '/api/v1/keys', status: 200, duration_ms: 3 };
    expect(shown((logger) => void logger.info(facts, 'request'))).toMatch(
      / {2}GET {2}\/api\/v1\/keys {2}200 {2}3 ms {2}req_2$/,
    );
  });

  it('of anything else says what it is about, and of an error its message', () => {
    const server = 'localhost:5432';
    expect(
      shown((logger) => void logger.warn({ server, err: new Error('refused') }, 'waiting for PostgreSQL')),
    ).toMatch(/^[\d:]+ {2}warn {2}waiting for PostgreSQL {2}refused {2}server=localhost:5432$/);
  });

  it('carries no character that steers a terminal', () => {
    const model = 'x\u001b[2J\u009b2J\r\nfaked';
    expect(shown((logger) => void logger.info({ ...CALL, model }, 'inference call'))).not.toMatch(/\p{Cc}/u);
  });
});

describe('the log of a terminal', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-terminal-log-'));
    file = join(folder, 'svc.log');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is short on the terminal, and whole in a file that only its owner reads', async () => {
    let printed = '';
    const log = terminalLog((text) => (printed += text), new LogFile(file));
    const logger = createLogger({ service: 'svc', level: 'info' }, log);
    logger.info(CALL, 'inference call');
    logger.info('stopping');
    await pause(GATHERED_MS);
    expect(printed.split('\n')).toHaveLength(3);
    expect(printed).not.toContain('{');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining(CALL),
      expect.objectContaining({ msg: 'stopping' }),
    ]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('goes on over starts, and sets a full file aside in the place of the one before', () => {
    const maximum = 20;
    new LogFile(file, maximum).append('first start\n');
    const log = new LogFile(file, maximum);
    log.append('second start\n');
    log.append('third\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('first start\nsecond start\n');
    expect(readFileSync(file, 'utf8')).toBe('third\n');
    log.append('line\n'.repeat(4));
    log.append('fourth\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toMatch(/^third\n(line\n){4}$/);
  });
});
