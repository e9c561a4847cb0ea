import { z } from 'zod';
import { id, nanosAmount } from '@svc/api';
import { type RequestRecord } from '@svc/ledger/store';

const decimal = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .meta({ description, example });

const costLine = z
  .object({
    kind: z.enum(['input', 'cached_input', 'cache_write', 'output']),
    tokens: z.int().positive().meta({ example: 420 }),
    price: decimal('Nano-dollars per token, as an exact decimal.', '37.5'),
    amount: decimal('Tokens times price: nano-dollars, as an exact decimal.', '15750'),
  })
  .meta({ id: 'CostLine' });

export const cost = z.object({
  customer_nanos: nanosAmount().nonnegative().meta({ description: 'What the wallet is charged.' }),
  provider_nanos: nanosAmount()
    .nonnegative()
    .meta({
      description:
        'What the organization’s own account at the provider pays: usage at the catalog’s prices. 0 on the platform’s ' +
        'credentials.',
      example: 0,
    }),
  state: z.enum(['final', 'provisional']).meta({
    description: '`provisional` while the cost can still change, also while the call is pending.',
  }),
  price_bps: z.int().nonnegative().nullable().meta({
    description:
      'What the wallet is charged, in basis points of the lines. Null where nothing was used, and while the call is pending.',
    example: 10_000,
  }),
  lines: z
    .array(costLine)
    .nullable()
    .meta({
      description:
        'A line for each kind of token that was used, at the catalog’s prices by which the call was planned. Null while the call ' +
        'is pending, and where the lines are not known.',
    }),
  rounding: decimal(
    'What rounding up added to `price_bps` of the lines: nano-dollars, as an exact decimal.',
    '0.5',
  ).nullable(),
  beyond_hold_nanos: nanosAmount()
    .nonnegative()
    .nullable()
    .meta({
      description:
        'The part that exceeds what was held, and is not charged. `price_bps` of the lines and the rounding add up to ' +
        '`customer_nanos` and this.',
      example: 0,
    }),
  held_nanos: nanosAmount().nonnegative().meta({
    description: 'What was held for the call before it was sent.',
    example: 2_000_000,
  }),
  transaction_id: id('walletTransaction').nullable().meta({
    description: 'The wallet transaction that charged the call; null where none did.',
  }),
});

export const callWarning = z
  .object({
    param: z.string().meta({ example: 'seed' }),
    code: z.string().meta({ example: 'unsupported_parameter' }),
    message: z.string().meta({ example: 'The provider does not take `seed`; it was left out.' }),
  })
  .meta({ id: 'CallWarning', description: 'A part of a call that the answering provider was not sent.' });

export const answeredError = z
  .object({
    type: z.string().meta({ example: 'provider_error' }),
    message: z.string().nullable().meta({
      description: 'Up to 1,000 characters; null where the policy’s `retention` was `none`.',
      example: 'The provider failed to answer. Please retry.',
    }),
    code: z.string().meta({ example: 'provider_error' }),
    param: z.string().optional().meta({ example: 'messages[0].content' }),
    request_id: id('request'),
    retriable: z.boolean(),
  })
  .meta({ id: 'AnsweredError', description: 'The error that the caller of the model got.' });

export function presentError({
  id: requestId,
  errorCode,
  explanation,
}: RequestRecord): z.input<typeof answeredError> | null {
  const error = explanation?.error;
  if (error === undefined || errorCode === null) return null;
  const { type, message, param, retriable } = error;
  return {
    type,
    message,
    code: errorCode,
    ...(param !== undefined && { param }),
    request_id: requestId,
    retriable,
  };
}
