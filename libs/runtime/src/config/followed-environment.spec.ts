import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@svc/testing';
import { createLogger } from '../observability';
import { FollowedEnvironment } from './followed-environment';

const folder = mkdtempSync(join(tmpdir(), 'svc-followed-'));
let file: string;
let count = 0;
beforeEach(() => {
  file = join(folder, String(count++));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let lines: string[];
const logger = createLogger({ service: 'spec', level: 'info' }, { write: (line) => void lines.push(line) });
const follow = (environment: FollowedEnvironment, parseAgain: () => void = () => undefined) => {
  lines = [];
  environment.follow({ parseAgain }, { logger, readEveryMs: 5 });
};

describe('the variables that the catalog names', () => {
  it('are those of the environment, but for the service’s own', () => {
    const { variables } = new FollowedEnvironment({ URL: 'own' }, { ACME_KEY: 'acme', URL: 'given' });
    expect([variables['ACME_KEY'], variables['URL'], variables['toString']]).toEqual([
      'acme',
      'own',
      undefined,
    ]);
  });

  it('may be in files, of which only those are read that are asked for', () => {
    writeFileSync(file, 'one\n');
    const { variables } = new FollowedEnvironment({}, { ACME_KEY_FILE: file, SSL_CERT_FILE: '/nowhere' });
    expect(variables['ACME_KEY']).toBe('one');
    expect(() => variables['SSL_CERT']).toThrow(
      'SSL_CERT_FILE names a file that cannot be read: /nowhere (ENOENT)',
    );
  });

  it('have their files’ new content soon, and the catalog is told once', async () => {
    writeFileSync(file, 'one');
    const environment = new FollowedEnvironment({}, { ACME_KEY_FILE: file });
    expect(environment.variables['ACME_KEY']).toBe('one');
    let changes = 0;
    follow(environment, () => changes++);
    writeFileSync(file, 'two');
    await eventually(() => {
      expect(environment.variables['ACME_KEY']).toBe('two');
    });
    expect(changes).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ variables: ['ACME_KEY'] }]);
    expect(lines.join()).not.toContain('two');
  });

  it('keep the last content of a file that is gone, and the log says so once', async () => {
    writeFileSync(file, 'one');
    const environment = new FollowedEnvironment({}, { ACME_KEY_FILE: file });
    expect(environment.variables['ACME_KEY']).toBe('one');
    follow(environment);
    rmSync(file);
    await eventually(() => {
      expect(lines).toHaveLength(1);
    });
    writeFileSync(file, 'three');
    await eventually(() => {
      expect(environment.variables['ACME_KEY']).toBe('three');
    });
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'info']);
  });
});
