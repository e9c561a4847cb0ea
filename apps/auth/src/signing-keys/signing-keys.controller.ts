import { z } from 'zod';
import { type SigningKeyRecord } from '@svc/persistence';
import {
  Act,
  List,
  OperatorResource,
  presentTime,
  presentTimeOrNull,
  timestamp,
  type Call,
} from '@svc/platform/api';
import { SigningKeyRotation } from './signing-key-rotation';

const signingKey = z
  .object({
    kid: z.string().meta({
      description: 'As in the header of a token, and in `/.well-known/jwks.json`.',
      example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    }),
    algorithm: z.string().meta({ example: 'EdDSA' }),
    state: z.enum(['next', 'active', 'retired']).meta({
      description:
        'The active one signs; a retired one is published until the last token that it signed has expired.',
    }),
    created_at: timestamp(),
    retired_at: timestamp().nullable(),
  })
  .meta({ id: 'SigningKey' });

const signingKeys = z.object({ data: z.array(signingKey) }).meta({ id: 'SigningKeys' });

/** What signs access tokens. */
@OperatorResource({
  path: 'signing-keys',
  one: 'SigningKey',
  many: 'SigningKeys',
  tag: 'Operator',
  description: 'What the operator of the platform administers, with the operator’s token.',
})
export class SigningKeysController {
  constructor(private readonly rotation: SigningKeyRotation) {}

  @List('', {
    summary: 'The keys that sign access tokens, newest first.',
    permission: null,
    scope: null,
    cursor: null,
    item: signingKey,
  })
  async list(_: Call) {
    return { items: (await this.rotation.list()).map(presentKey), hasMore: false };
  }

  @Act('rotate', {
    summary: 'Lets the next key sign from now on.',
    description: 'Tokens that the old one signed hold until they expire. The worker does this every 90 days.',
    permission: null,
    scope: null,
    answer: signingKeys,
    operation: 'rotateSigningKey',
  })
  async rotate(_: Call) {
    return { data: (await this.rotation.rotate()).map(presentKey) };
  }
}

const presentKey = (key: SigningKeyRecord): z.input<typeof signingKey> => ({
  kid: key.kid,
  algorithm: key.algorithm,
  state: key.state,
  created_at: presentTime(key.createdAt),
  retired_at: presentTimeOrNull(key.retiredAt),
});
