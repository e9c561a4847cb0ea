import { createLogger, createMetrics } from '@svc/runtime/observability';
import { FakeClock } from '@svc/testing';
import { costBesideJson } from '../testing/cost-beside-json';
import { endedCall } from '../testing/ended-call';
import { CallMinuteRecorder } from './call-minute-recorder';

describe('a recorder of calls by the minute', () => {
  it('costs a call next to nothing', async () => {
    const recorder = new CallMinuteRecorder({
      store: { write: () => Promise.resolve() },
      clock: new FakeClock(),
      logger: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics('edge'),
      writeEveryMs: 2 ** 30,
    });
    const call = endedCall();
    expect(costBesideJson(() => recorder.note(call, 570))).toBeLessThan(5);
    await recorder.stop();
  });
});
