import { type RecordedEvent } from '@svc/events';
import { type Provider } from '@svc/catalog';
import { createLogger } from '@svc/runtime/observability';
import { FakeClock } from '@svc/testing';
import { AuthFailures } from './auth-failures';

const provider: Provider = { name: 'acme', protocol: 'openai', baseUrl: 'http://acme', credentialEnv: null };
let clock: FakeClock;
let logLines: string[];
let recorded: RecordedEvent[];
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1, 10, 59));
  logLines = [];
  recorded = [];
});

const failuresThat = (record: (event: RecordedEvent) => Promise<boolean>): AuthFailures =>
  new AuthFailures(
    record,
    clock,
    createLogger({ service: 'edge', level: 'error' }, { write: (line) => void logLines.push(line) }),
  );
const recording = (): AuthFailures =>
  failuresThat((event) => {
    recorded.push(event);
    return Promise.resolve(true);
  });
const refused = (id: string | null, status = 401) => ({
  organizationId: 'org_1',
  provider,
  credential: { id, secret: 'sk-do-not-log' },
  status,
});

describe('a refused credential', () => {
  it('of an organization is recorded once an hour, each credential and each status apart', async () => {
    const failures = recording();
    await failures.report(refused('cred_1'));
    await failures.report(refused('cred_1'));
    await failures.report(refused('cred_2'));
    await failures.report(refused('cred_2', 402));
    expect(recorded).toHaveLength(3);
    clock.advance(60_000);
    await failures.report(refused('cred_1'));
    expect(recorded).toHaveLength(4);
    expect(new Set(recorded.map(({ id }) => id)).size).toBe(4);
  });

  it('is the same event in every process', async () => {
    await recording().report(refused('cred_1'));
    clock.advance(30_000);
    await recording().report(refused('cred_1'));
    const [one, other] = recorded;
    expect(one?.id).toBe(other?.id);
    expect(JSON.parse(one!.payload)).toMatchObject({
      type: 'credential.auth_failed',
      created_at: '2026-01-01T10:59:00.000Z',
      data: { credential_id: 'cred_1', provider: 'acme', status: 401 },
    });
  });

  it('of the platform is logged, and is no event of a tenant', async () => {
    await recording().report(refused(null));
    expect(recorded).toEqual([]);
    expect(logLines.join()).toContain('"provider":"acme"');
    expect(logLines.join()).not.toContain('sk-do-not-log');
  });

  it('is reported again when it could not be recorded, and fails no call', async () => {
    let tries = 0;
    const failures = failuresThat(() => {
      tries += 1;
      return Promise.reject(new Error('no database'));
    });
    await failures.report(refused('cred_1'));
    await failures.report(refused('cred_1'));
    expect(tries).toBe(2);
  });
});
