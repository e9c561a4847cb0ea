import { type MinuteSum, minuteMetrics } from './minute-metrics';

const NO_TIMES = { boundsMs: [1, 10], counts: [0, 0, 0] };
const sum: MinuteSum = {
  organizationId: 'org_1',
  projectId: 'proj_1',
  apiKeyId: 'key_1',
  model: 'acme/large',
  provider: 'acme',
  calls: 4,
  failures: 1,
  inputTokens: 70,
  outputTokens: 0,
  spentNanos: 900,
  durations: { boundsMs: [1, 10], counts: [0, 2, 1] },
  timesToFirstToken: NO_TIMES,
};
const attributes = {
  'gen_ai.request.model': 'acme/large',
  'gen_ai.provider.name': 'acme',
  'svc.organization_id': 'org_1',
  'svc.project_id': 'proj_1',
  'svc.api_key_id': 'key_1',
};

describe('the metrics of a minute', () => {
  it('count calls, failures and money, and tell how tokens and times were spread as far as that is known', () => {
    expect(minuteMetrics([sum])).toMatchObject([
      { kind: 'sum', name: 'svc.calls', points: [{ attributes, value: 4 }] },
      { kind: 'sum', name: 'svc.failures', points: [{ attributes, value: 1 }] },
      { kind: 'sum', name: 'svc.cost_nanos', points: [{ attributes, value: 900 }] },
      {
        kind: 'histogram',
        name: 'gen_ai.client.token.usage',
        points: [
          {
            attributes: { ...attributes, 'gen_ai.token.type': 'input' },
            count: 4,
            sum: 70,
            bounds: [],
            counts: [],
          },
        ],
      },
      {
        kind: 'histogram',
        name: 'gen_ai.server.request.duration',
        unit: 's',
        points: [{ attributes, count: 3, sum: null, bounds: [0.001, 0.01], counts: [0, 2, 1] }],
      },
    ]);
  });

  it('have no attribute for a project or provider that there is not', () => {
    const [calls] = minuteMetrics([{ ...sum, projectId: null, provider: null }]);
    expect(Object.keys(calls!.points[0]!.attributes)).toEqual([
      'gen_ai.request.model',
      'svc.organization_id',
      'svc.api_key_id',
    ]);
  });

  it('are none for a minute without calls', () => {
    expect(minuteMetrics([])).toEqual([]);
  });
});
