import { z } from 'zod';
import { id, nanosSum, presenter, timestamp } from '@svc/api';
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

const presentArm = presenter<typeof arm, ArmFigures>(arm, {
  error_rate_bps: ({ ended, failed }) => (ended === 0 ? null : Math.trunc((failed * 10_000) / ended)),
  customer_nanos: ({ customerNanos }) => jsonInteger(customerNanos),
  provider_nanos: ({ providerNanos }) => jsonInteger(providerNanos),
});

const abort = rolloutFields.abort.unwrap();

export const presentRollout = presenter<typeof rollout, MeasuredRollout>(rollout, {
  abort: presenter<typeof abort, MeasuredRollout>(abort, {}),
  arms: ({ arms }) => ({ treatment: presentArm(arms.treatment), control: presentArm(arms.control) }),
});
