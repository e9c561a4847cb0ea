import { type z } from 'zod';
import { presentTime, presentTimeOrNull, type Call } from '@svc/api';
import { signingKeyRoutes, type signingKey } from '@svc/api/oauth-routes';
import { type SigningKeyRecord } from '@svc/access/store';
import { SigningKeyRotation } from './signing-key-rotation';

const { resource, routes } = signingKeyRoutes;

@resource
export class SigningKeysController {
  constructor(private readonly rotation: SigningKeyRotation) {}

  @routes.list
  async list(_: Call) {
    return { items: (await this.rotation.list()).map(presentKey), hasMore: false };
  }

  @routes.rotate
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
