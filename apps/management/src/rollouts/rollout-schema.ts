import { z } from 'zod';
import { id, nanosSum, presentTime, presentTimeOrNull, timestamp } from '@svc/api';
import { jsonInteger } from '@svc/kernel';
import { rolloutFields } from '@svc/policy';
import { type ArmFigures, type MeasuredRollout } from '@svc/policy/store';

const arm = z
  .object({
    calls: z.int().meta({ description: 'Calls that ended.', example: 412 }),
    failed: z.int().meta({ description: 'Those that failed, as usage counts them.', example: 57 }),
    error_rate_bps: z.int().nullable().meta({
      description: 'Failed calls of 10,000, without those that the caller got wrong; null without any.',
      example: 1_383,
    }),
    ttft_p95_ms: z.int().nullable().meta({
      description: 'Milliseconds within which 95 % of the answers began, at most 12 % off; null without any.',
      example: 840,
    }),
    output_tokens: z.int().meta({ example: 210_400 }),
    customer_nanos: nanosSum().meta({ description: 'What you were charged.', example: 841_600_000 }),
    provider_nanos: nanosSum().meta({
      description: 'What your own accounts at providers are charged.',
      example: 0,
    }),
  })
  .meta({ id: 'RolloutArm', description: 'What came of the calls of one side, of the last 35 days.' });

export const rollout = z
  .object({
    id: id('rollout'),
    organization_id: id('organization'),
    ...rolloutFields,
    state: z.enum(['running', 'aborted', 'completed', 'removed']).meta({
      description: '`removed`: a version of the policy does not name it.',
    }),
    reason: z
      .enum(['error_rate', 'latency', 'user', 'ended'])
      .nullable()
      .meta({ description: 'Why it was aborted or completed; else null.', example: null }),
    started_at: timestamp(),
    ended_at: timestamp().nullable(),
    arms: z.object({
      treatment: arm.meta({ description: 'The calls that it moved.' }),
      control: arm.meta({ description: 'The calls of its model that no rollout moved.' }),
    }),
  })
  .meta({ id: 'Rollout', description: 'A share of a model’s calls that the policy moves elsewhere.' });

export const presentRollout = (record: MeasuredRollout): z.input<typeof rollout> => ({
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  model: record.model,
  to: record.to,
  share_bps: record.shareBps,
  by: record.by,
  ends_at: presentTimeOrNull(record.endsAt),
  abort: {
    max_error_rate_bps: record.maxErrorRateBps,
    max_ttft_p95_ms: record.maxTtftP95Ms,
    min_calls: record.minCalls,
  },
  state: record.state,
  reason: record.reason,
  started_at: presentTime(record.startedAt),
  ended_at: presentTimeOrNull(record.endedAt),
  arms: { treatment: presentArm(record.arms.treatment), control: presentArm(record.arms.control) },
});

const presentArm = (figures: ArmFigures): z.input<typeof arm> => ({
  calls: figures.calls,
  failed: figures.failed,
  error_rate_bps: figures.ended === 0 ? null : Math.trunc((figures.failed * 10_000) / figures.ended),
  ttft_p95_ms: figures.ttftP95Ms,
  output_tokens: figures.outputTokens,
  customer_nanos: jsonInteger(figures.customerNanos),
  provider_nanos: jsonInteger(figures.providerNanos),
});
