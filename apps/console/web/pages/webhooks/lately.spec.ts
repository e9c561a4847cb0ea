import { latelyWords } from './lately';
import { type Figures } from './webhook';

const ID = 'whe_06dpm2q4x8k3c0v9r7t5w1hzny';
const figures = (some: Partial<Figures>): readonly Figures[] => [
  {
    endpoint_id: ID,
    created_count: 0,
    succeeded_count: 0,
    dead_count: 0,
    waiting_count: 0,
    p95_duration_ms: null,
    ...some,
  },
];

describe('the last 24 hours of an endpoint', () => {
  it.each([
    [figures({}), 'No new deliveries'],
    [figures({ waiting_count: 3 }), 'No new deliveries, 3 waiting'],
    [
      figures({ created_count: 1204, succeeded_count: 1190, dead_count: 3, p95_duration_ms: 184 }),
      '1,190 of 1,204 succeeded, 3 dead, 95 % within 184 ms',
    ],
    [figures({ created_count: 10_000, succeeded_count: 9_999 }), '9,999 of 10,000 or more succeeded'],
  ])('are said in one line', (given, said) => {
    expect(latelyWords(given, ID)).toBe(said);
  });

  it('are a dash where they are not known', () => {
    expect([latelyWords(undefined, ID), latelyWords([], ID)]).toEqual(['–', '–']);
  });
});
