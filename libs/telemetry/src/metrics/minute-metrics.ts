import { type HistogramPoint, type Metric } from './metric';

/** How often times fell into the buckets of `boundsMs`; one count more than bounds. */
interface TimeCounts {
  readonly boundsMs: readonly number[];
  readonly counts: readonly number[];
}

/** The sums of the calls of one minute that share project, key, model and provider. */
export interface MinuteSum {
  readonly organizationId: string;
  /** Null: calls without a project. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
  readonly model: string;
  /** Null: calls that no provider answered. */
  readonly provider: string | null;
  readonly calls: number;
  readonly failures: number;
  /** Cached tokens are among them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly spentNanos: number;
  /** Of calls that succeeded. */
  readonly durations: TimeCounts;
  /** Of answers that began. */
  readonly timesToFirstToken: TimeCounts;
}

type Attributes = Readonly<Record<string, string>>;

/** The metrics of a minute. A metric without points is left out. */
export function minuteMetrics(sums: readonly MinuteSum[]): readonly Metric[] {
  const metrics: readonly Metric[] = [
    sumOf('svc.calls', '{call}', 'Calls that ended.', sums, ({ calls }) => calls),
    sumOf(
      'svc.failures',
      '{call}',
      'Calls that failed at a provider or at the service.',
      sums,
      (sum) => sum.failures,
    ),
    sumOf(
      'svc.cost_nanos',
      '{nano_usd}',
      'What wallets were charged, in nano-dollars.',
      sums,
      (sum) => sum.spentNanos,
    ),
    {
      kind: 'histogram',
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      description: 'Input and output tokens of calls.',
      points: sums.flatMap(tokenPoints),
    },
    timesOf(
      'gen_ai.server.request.duration',
      'Time of calls that succeeded.',
      sums,
      ({ durations }) => durations,
    ),
    timesOf(
      'gen_ai.server.time_to_first_token',
      'Time until an answer began.',
      sums,
      (sum) => sum.timesToFirstToken,
    ),
  ];
  return metrics.filter(({ points }) => points.length > 0);
}

function sumOf(
  name: string,
  unit: string,
  description: string,
  sums: readonly MinuteSum[],
  valueOf: (sum: MinuteSum) => number,
): Metric {
  const points = sums
    .map((sum) => ({ attributes: attributesOf(sum), value: valueOf(sum) }))
    .filter(({ value }) => value > 0);
  return { kind: 'sum', name, unit, description, points };
}

function timesOf(
  name: string,
  description: string,
  sums: readonly MinuteSum[],
  timesIn: (sum: MinuteSum) => TimeCounts,
): Metric {
  const points = sums
    .map((sum) => timePoint(attributesOf(sum), timesIn(sum)))
    .filter(({ count }) => count > 0);
  return { kind: 'histogram', name, unit: 's', description, points };
}

/** The minutes keep no sum of the times. */
const timePoint = (attributes: Attributes, { boundsMs, counts }: TimeCounts): HistogramPoint => ({
  attributes,
  count: counts.reduce((sum, count) => sum + count, 0),
  sum: null,
  bounds: boundsMs.map((ms) => ms / 1000),
  counts,
});

/** The minutes keep no distribution of tokens. */
function tokenPoints(sum: MinuteSum): readonly HistogramPoint[] {
  const attributes = attributesOf(sum);
  const point = (type: 'input' | 'output', tokens: number): HistogramPoint => ({
    attributes: { ...attributes, 'gen_ai.token.type': type },
    count: sum.calls,
    sum: tokens,
    bounds: [],
    counts: [],
  });
  return [point('input', sum.inputTokens), point('output', sum.outputTokens)].filter(
    (each) => each.sum !== 0,
  );
}

const attributesOf = ({ organizationId, projectId, apiKeyId, model, provider }: MinuteSum): Attributes => ({
  'gen_ai.request.model': model,
  ...(provider === null ? {} : { 'gen_ai.provider.name': provider }),
  'svc.organization_id': organizationId,
  ...(projectId === null ? {} : { 'svc.project_id': projectId }),
  'svc.api_key_id': apiKeyId,
});
