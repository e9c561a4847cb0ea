import { z } from 'zod';
import { timestamp } from '../fields';
import { OperatorResource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { Act, List } from '../verbs';

export const signingKey = z
  .object({
    kid: z.string().meta({
      description: 'The `kid` in the header of a token, and in `/.well-known/jwks.json`.',
      example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    }),
    algorithm: z.string().meta({ example: 'EdDSA' }),
    state: z.enum(['next', 'active', 'retired']).meta({
      description:
        'The active key signs. A retired key is published until the last token that it signed has expired.',
    }),
    created_at: timestamp(),
    retired_at: timestamp().nullable(),
  })
  .meta({ id: 'SigningKey' });

const signingKeys = z.object({ data: z.array(signingKey) }).meta({ id: 'SigningKeys' });

/** The keys that sign access tokens. */
export const signingKeyRoutes = {
  resource: OperatorResource({
    path: 'signing-keys',
    one: 'SigningKey',
    many: 'SigningKeys',
    tag: 'Operator',
    description: 'For the operator of the platform, with the operator’s token.',
  }),
  routes: {
    list: List('', {
      summary: 'The keys that sign access tokens, newest first.',
      permission: null,
      scope: null,
      cursor: null,
      item: signingKey,
    }),
    rotate: Act('rotate', {
      summary: 'Rotates the signing key: the next key becomes active.',
      description:
        'Tokens of the old key stay valid until they expire. The worker rotates the key every 90 days.',
      permission: null,
      scope: null,
      answer: signingKeys,
      operation: 'rotateSigningKey',
    }),
  },
} satisfies ResourceDeclaration;
