import { Outbox, UnitOfWork, prismaOf, type Database } from '@svc/database';
import { recordEvent } from '@svc/events';
import { type NewId } from '@svc/kernel';

/** A live key that was shown from an address that its policy does not allow. */
export interface RefusedKey {
  readonly id: string;
  readonly organizationId: string;
  /** Null: organization-wide. */
  readonly projectId: string | null;
}

interface ToldKey {
  readonly name: string;
  readonly prefix: string;
  readonly toldAt: Date;
}

export class AddressRefusalStore {
  private readonly unitOfWork: UnitOfWork;
  private readonly outbox = new Outbox();

  constructor(
    database: Database,
    private readonly newId: NewId,
  ) {
    this.unitOfWork = new UnitOfWork(database);
  }

  /**
   * Records `api_key.address_refused`, unless one of the key was recorded within the last hour, by the clock of the database.
   * One statement decides, so that of any number of processes one records it.
   * @param address null of what is no address.
   * @returns whether it was recorded.
   */
  recordEvent({ id, organizationId, projectId }: RefusedKey, address: string | null): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const [told] = await prismaOf(tx).$queryRaw<ToldKey[]>`
        UPDATE api_keys SET address_refused_at = now()
        WHERE organization_id = ${organizationId} AND id = ${id}
          AND (address_refused_at IS NULL OR address_refused_at <= now() - interval '1 hour')
        RETURNING name, prefix, address_refused_at AS "toldAt"`;
      if (told === undefined) return false;
      const { name, prefix, toldAt } = told;
      const data = { api_key_id: id, name, prefix, project_id: projectId, address };
      const event = recordEvent(
        this.newId('event'),
        'api_key.address_refused',
        organizationId,
        toldAt.getTime(),
        data,
      );
      await this.outbox.append(tx, event);
      return true;
    });
  }
}
