import { type CredentialReport } from '@svc/policy/store';
import { createLogger } from '@svc/runtime/observability';
import { eventually, FakeClock } from '@svc/testing';
import { WrittenReports } from '../testing/written-reports';
import { CredentialHealths } from './credential-healths';
import { type PoolMember } from './credential-pool';
import { CredentialReporter } from './credential-reporter';

const NEVER_MS = 2 ** 30;
const HERE = 'acme/small|acme|eu|small-1';
const member: PoolMember = {
  id: null,
  secret: 'sk-never-reported',
  key: 'env:acme/ACME_KEY',
  provider: 'acme',
  weight: 100,
  healthEpoch: 0,
  healthKey: 'env:acme/ACME_KEY:0',
  rateLimit: null,
};

let clock: FakeClock;
let healths: CredentialHealths;
let written: WrittenReports<CredentialReport>;
let reporter: CredentialReporter;
beforeEach(() => {
  clock = new FakeClock();
  healths = new CredentialHealths(clock);
  written = new WrittenReports();
});
afterEach(() => reporter.stop());

function start(reportEveryMs: number): void {
  reporter = new CredentialReporter({
    store: written,
    healths,
    edgeInstanceId: 'edge_1',
    clock,
    logger: createLogger({ service: 'test', level: 'silent' }),
    reportEveryMs,
  });
  reporter.start();
}
const call = (headers: Record<string, string> = {}) => ({ endpointId: HERE, sentAtMs: clock.now(), headers });

describe('a reporter of credentials', () => {
  it('tells at once that a rest began and ended, and never a secret', async () => {
    start(NEVER_MS);
    healths.refused(member, 'rate_limit', call({ 'retry-after': '90' }));
    await eventually(() => {
      expect(written.all).toHaveLength(1);
    });
    expect(written.all[0]).toEqual([
      {
        credential: 'env:acme/ACME_KEY',
        healthEpoch: 0,
        provider: 'acme',
        endpointId: HERE,
        rest: 'rate_limit',
        restsForMs: 90_000,
        trialInMs: 60_000,
        headroomBps: null,
        headroomForMs: null,
        isNews: true,
      },
    ]);
    healths.succeeded(member, call());
    await eventually(() => {
      expect(written.all[1]).toMatchObject([{ rest: null, restsForMs: null, trialInMs: null, isNews: true }]);
    });
    expect(JSON.stringify(written.all)).not.toContain('sk-never-reported');
  });

  it('tells of headroom later, the last of several, and only where it changed', async () => {
    start(1);
    const room = (left: number) => ({
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': String(left),
    });
    healths.succeeded(member, call(room(80)));
    healths.succeeded(member, call(room(20)));
    await eventually(() => {
      expect(written.all).toHaveLength(1);
    });
    expect(written.all[0]).toMatchObject([{ headroomBps: 2_000, headroomForMs: 60_000, isNews: false }]);
  });

  it('tells again what could not be written, with what changed meanwhile', async () => {
    written.failures = 1;
    start(1);
    healths.refused(member, 'refused', call());
    await eventually(() => {
      expect(written.all).toHaveLength(1);
    });
    expect(written.all[0]).toMatchObject([{ endpointId: null, rest: 'refused', isNews: true }]);
  });
});
