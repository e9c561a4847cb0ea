import { z } from 'zod';
import { modelId, name, oneOf, whole } from '../fields/field-texts';

/** Rollouts of one policy that have not ended. */
export const ROLLOUTS_MAX = 20;
/** Entries of the list, with those that have ended. */
const ENTRIES_MAX = 1_000;
const SHARE_BPS_MAX = 10_000;
const MIN_CALLS_MAX = 100_000;
/** Longer times count as this in the histograms. */
const TTFT_MS_MAX = 600_000;

export const ROLLOUT_SUBJECTS = ['end_user', 'session', 'api_key'] as const;

const ABORT_DEFAULT = { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 } as const;

const abort = z
  .strictObject(
    {
      max_error_rate_bps: whole(1, 10_000).nullable().default(ABORT_DEFAULT.max_error_rate_bps).meta({
        description: 'Of the moved calls of 5 minutes, the most that may fail; null for no limit.',
        example: 500,
      }),
      max_ttft_p95_ms: whole(1, TTFT_MS_MAX).nullable().default(ABORT_DEFAULT.max_ttft_p95_ms).meta({
        description:
          'The most milliseconds within which 95 % of the answers of 5 minutes may begin; null for no limit.',
        example: 4_000,
      }),
      min_calls: whole(1, MIN_CALLS_MAX)
        .default(ABORT_DEFAULT.min_calls)
        .meta({ description: 'The fewest moved calls of 5 minutes that are judged.', example: 50 }),
    },
    'must be an object',
  )
  .default(ABORT_DEFAULT)
  .meta({ description: 'What ends the rollout by itself.' });

const target = z
  .strictObject(
    { model: modelId.exactOptional(), provider: name.exactOptional(), region: name.exactOptional() },
    'must be an object',
  )
  .refine((to) => Object.keys(to).length > 0, 'must name a model, a provider or a region')
  .meta({ description: 'Where calls are moved.', example: { provider: 'acme' } });

/** One entry of the field `rollouts` of an organization's policy. */
export const rolloutFields = {
  name: name.meta({
    description: 'Unique, for good: a rollout that has ended does not run again under its name.',
    example: 'small-at-acme',
  }),
  model: modelId.meta({ description: 'Whose calls are moved.', example: 'acme/small' }),
  to: target,
  share_bps: whole(0, SHARE_BPS_MAX).meta({
    description: 'How many of 10,000 subjects take part.',
    example: 500,
  }),
  by: oneOf(...ROLLOUT_SUBJECTS).meta({
    description: 'What takes part as a whole. A call without one does not take part.',
  }),
  ends_at: z.iso
    .datetime({ offset: true, error: 'must be a time of ISO 8601, as 2026-12-01T00:00:00.000Z' })
    .refine((text) => Number(text.slice(0, 4)) >= 1970, 'must be in 1970 or later')
    .nullable()
    .default(null)
    .meta({ description: 'When it ends by itself; null for never.', example: '2026-12-01T00:00:00.000Z' }),
  abort,
};

export const rolloutsField = z
  .array(z.strictObject(rolloutFields, 'must be an object'), 'must be a list')
  .max(ENTRIES_MAX, `must have at most ${String(ENTRIES_MAX)} entries`)
  .superRefine((entries, { addIssue }) => {
    const names = new Set<string>();
    for (const [at, entry] of entries.entries()) {
      if (names.has(entry.name)) {
        addIssue({ code: 'custom', path: [at, 'name'], message: 'must be unique among the rollouts' });
      }
      names.add(entry.name);
    }
  })
  .default([])
  .meta({
    description: `Moves a share of a model’s calls elsewhere, and back where they fail. At most ${String(ROLLOUTS_MAX)} that have not ended.`,
    example: [
      {
        name: 'small-at-acme',
        model: 'acme/small',
        to: { provider: 'acme' },
        share_bps: 500,
        by: 'end_user',
        ends_at: null,
        abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 },
      },
    ],
  });

export type RolloutDocument = z.output<typeof rolloutsField>[number];
