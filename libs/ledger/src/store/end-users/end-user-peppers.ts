import { randomBytes } from 'node:crypto';
import { type Database } from '@svc/database';
import { type Sealer } from '@svc/runtime';
import { endUserId, isEndUserId } from '../../rules/end-users/end-user';

const PEPPER_BYTES = 32;

export const endUserPepperContext = (organizationId: string): string => `end_user_peppers/${organizationId}`;

/** The peppers of the ids of end users: random for each organization, sealed, and made with its first end user. */
export class EndUserPeppers {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /** @returns the same for everybody, also where several make the first one at once. */
  async of(organizationId: string): Promise<Buffer> {
    const stored = await this.find(organizationId);
    if (stored !== null) return stored;
    const made = this.sealer.seal(randomBytes(PEPPER_BYTES), endUserPepperContext(organizationId));
    await this.database.pool.query(
      `INSERT INTO end_user_peppers (organization_id, pepper_ciphertext) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [organizationId, made],
    );
    const kept = await this.find(organizationId);
    if (kept === null) throw new Error('a pepper that was just stored is not there');
    return kept;
  }

  /** The id of an end user by their id or their name, as filters take them. */
  async idOf(organizationId: string, idOrName: string): Promise<string> {
    return isEndUserId(idOrName) ? idOrName : endUserId(await this.of(organizationId), idOrName);
  }

  private async find(organizationId: string): Promise<Buffer | null> {
    const { rows } = await this.database.pool.query<{ sealed: Buffer }>(
      'SELECT pepper_ciphertext AS sealed FROM end_user_peppers WHERE organization_id = $1',
      [organizationId],
    );
    const [row] = rows;
    return row === undefined ? null : this.sealer.open(row.sealed, endUserPepperContext(organizationId));
  }
}
