import { GatewayError } from '@svc/kernel';
import { systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { RefusalRecorder } from '@svc/usage/work';
import { costBesideJson } from '../testing/cost-beside-json';

describe('a recorder of refusals', () => {
  it('costs a caller that is refused without end next to nothing', async () => {
    const recorder = new RefusalRecorder({
      store: { addRefusals: () => Promise.resolve() },
      isKnownModel: () => true,
      clock: systemClock,
      logger: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics('edge'),
      writeEveryMs: 2 ** 30,
    });
    const caller = { organizationId: 'org_1', projectId: null, apiKeyId: 'key_1' };
    const refusal = new GatewayError('rateLimit', 'Used up.');
    expect(costBesideJson(() => recorder.note(caller, 'acme/small', refusal))).toBeLessThan(5);
    await recorder.stop();
  });
});
