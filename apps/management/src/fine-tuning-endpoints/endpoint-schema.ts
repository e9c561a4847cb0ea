import { z } from 'zod';
import { id, nanosAmount, presenter, presentTimeOrNull, timestamp } from '@svc/api';
import { endpointStates, stopReasons } from '@svc/fine-tuning';
import { type EndpointRecord } from '@svc/fine-tuning/store';
import { nanosToJson, type Nanos } from '@svc/kernel';
import { type ShownEndpoint } from './shown-endpoint';

const IDLE_DEFAULT = 60;
const HOURS_DEFAULT = 24;

const idleStopMinutes = z.int().min(1).max(1_440).meta({
  description: 'It stops after so many minutes without a call.',
  example: 60,
});
const maxHours = z
  .number()
  .min(0.01)
  .max(720)
  .refine((hours) => Math.abs(hours * 100 - Math.round(hours * 100)) < 1e-6, 'must have at most two decimals')
  .meta({ description: 'The longest that a run takes.', example: 24 });
const maxSpend = nanosAmount().positive().nullable().meta({
  description: 'The most that a run may cost; null for no limit.',
  example: 50_000_000_000,
});
const model = z.string().min(1).max(200).meta({
  description: 'The fine-tuned model that it serves. A model has one endpoint.',
  example: 'ft-qwertyui/small-support-asdfgh',
});
const hardware = z.string().min(1).max(200).meta({
  description: 'Of the catalog’s hardware for the model.',
  example: 'gpu-1x',
});

export const endpointFilters = {
  model: z.string().min(1).max(200).optional().meta({ description: 'Only the endpoint of this model.' }),
};

export const newEndpoint = z
  .strictObject({
    model,
    hardware,
    idle_stop_minutes: idleStopMinutes.default(IDLE_DEFAULT),
    max_hours: maxHours.default(HOURS_DEFAULT),
    max_spend_nanos: maxSpend.default(null),
  })
  .meta({
    id: 'NewFineTuningEndpoint',
    example: { model: 'ft-qwertyui/small-support-asdfgh', hardware: 'gpu-1x' },
  });

const whatChanges = { idle_stop_minutes: idleStopMinutes, max_hours: maxHours, max_spend_nanos: maxSpend };

export const endpointChange = z
  .strictObject(whatChanges)
  .partial()
  .meta({ id: 'FineTuningEndpointChange', example: { idle_stop_minutes: 30 } });

export const startHeaders = {
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'A retry with the same key within 24 hours starts nothing again.',
    example: 'start-2026-11-25',
  }),
};

const audited = z.object({ model, hardware, ...whatChanges });

export const fineTuningEndpoint = z
  .object({
    id: id('fineTuningEndpoint'),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({
      description: 'The project whose key made it; null for the whole organization.',
      example: null,
    }),
    ...audited.shape,
    price_per_hour_nanos: nanosAmount().nonnegative().nullable().meta({
      description:
        'Nano-dollars. While it is up and after it, as it was at the start; before the first start as the catalog has it. Null where the catalog does not offer the hardware.',
      example: 2_500_000_000,
    }),
    state: z.enum(endpointStates).meta({ example: 'running' }),
    stop_reason: z.enum(stopReasons).nullable().meta({
      description: 'Why its last run ended, or ends; null before.',
      example: null,
    }),
    started_at: timestamp().nullable().meta({
      description: 'When its last run began to serve, and to cost; null where it has not.',
    }),
    running_seconds: z.int().min(0).meta({ description: 'Of its last run.', example: 1_830 }),
    charged_nanos: nanosAmount().nonnegative().meta({
      description: 'Of its last run: what is settled.',
      example: 1_250_000_000,
    }),
    total_running_seconds: z.int().min(0).meta({ description: 'Of all runs.', example: 9_400 }),
    total_charged_nanos: nanosAmount()
      .nonnegative()
      .meta({ description: 'Of all runs.', example: 6_500_000_000 }),
    last_used_at: timestamp().nullable().meta({
      description: 'When a call of the model last ended, to the minute; null for never.',
    }),
    stops_at: timestamp().nullable().meta({
      description: 'When it stops at the earliest, if no call comes; null where it does not run.',
    }),
    created_by: z.string().meta({
      description: 'The id of the user or key that made it.',
      example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    created_at: timestamp(),
  })
  .meta({
    id: 'FineTuningEndpoint',
    description: 'Machines of a provider that serve a fine-tuned model, paid by the second while they run.',
  });

const nanosOrNull = (amount: Nanos | null): number | null => (amount === null ? null : nanosToJson(amount));

const computed = { max_spend_nanos: ({ maxSpend }: EndpointRecord) => nanosOrNull(maxSpend) };

/** The fields of an endpoint that audit entries show. */
export const auditedEndpoint = presenter<typeof audited, EndpointRecord>(audited, computed);

export const presentEndpoint = presenter<typeof fineTuningEndpoint, ShownEndpoint>(fineTuningEndpoint, {
  ...computed,
  price_per_hour_nanos: ({ pricePerHour }) => nanosOrNull(pricePerHour),
  stop_reason: ({ run }) => run?.stopReason ?? null,
  started_at: ({ run }) => presentTimeOrNull(run?.runningSince ?? null),
  charged_nanos: ({ charged }) => nanosToJson(charged),
  total_charged_nanos: ({ totalCharged }) => nanosToJson(totalCharged),
  created_by: ({ creatorId }) => creatorId,
});
