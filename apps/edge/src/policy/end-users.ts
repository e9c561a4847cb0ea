import { endUserId, isKeptName } from '@svc/ledger';
import { type HeldEndUser } from '@svc/ledger/store';
import { type Policy } from '@svc/policy';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;

type FindPepper = (organizationId: string) => Promise<Uint8Array>;

/** Whom a call is for, once its organization is known. */
export interface NamedEndUser {
  /** `eu_` and 26 characters: budgets and rates count by it. */
  readonly id: string;
  /** As the caller gave it. */
  readonly name: string;
}

/** The end users of organizations, with their ids (docs/end-users.md#the-id). Only calls that name one ask. */
export class EndUsers {
  private readonly peppers = new LookupCache<Uint8Array>(ORGANIZATIONS_MAX);

  constructor(
    private readonly findPepper: FindPepper,
    /** `SVC_END_USERS_PER_DAY`. */
    private readonly namedPerDayMax: number,
  ) {}

  /** @throws GatewayError `overloaded` where the database cannot be reached. */
  async of(organizationId: string, name: string): Promise<NamedEndUser> {
    const pepper = await this.peppers.get(organizationId, () => this.findPepper(organizationId));
    return { id: endUserId(pepper, name), name };
  }

  /** The end user for the books: the name only where it is short, of one line, and the policy lets it be kept. */
  held({ id, name }: NamedEndUser, { retention }: Policy): HeldEndUser {
    const isKept = retention !== 'none' && isKeptName(name);
    return { id, name: isKept ? name : null, namedPerDayMax: this.namedPerDayMax };
  }
}
