import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Organization, type Prisma } from '@svc/database/rows';
import { nanos, type Nanos, type Page, type Slice } from '@svc/kernel';

type OrganizationState = 'active' | 'suspended';

/** An organization as it is stored (`libs/database/prisma/schema/organizations.prisma`), with its wallet. */
export interface OrganizationRecord extends Readonly<Omit<Organization, 'state'>> {
  readonly state: OrganizationState;
  readonly balance: Nanos;
  /** The part of the balance that calls in flight may still cost. */
  readonly held: Nanos;
  /** The amount that refunds and disputes still take. */
  readonly owed: Nanos;
}

type Fixed = 'id' | 'balance' | 'held' | 'owed' | 'createdAt' | 'updatedAt';

export interface OrganizationFilter {
  /** Part of a name, A to Z in any case: some databases know the cases of no other letters. Or a whole id, or an owner's whole address. */
  readonly text?: string | undefined;
  readonly state?: OrganizationState | undefined;
}

/** Characters that `contains` would take for a wildcard: Prisma hands the text to ILIKE as it is. */
const WILDCARD = /[\\%_]/g;

const searchedBy = (text: string): Prisma.OrganizationWhereInput[] => [
  { name: { contains: text.replace(WILDCARD, String.raw`\$&`), mode: 'insensitive' } },
  { id: text },
  { members: { some: { role: 'owner', state: 'active', user: { email: text.toLowerCase() } } } },
];

const WITH_WALLET = { wallet: { select: { balanceNanos: true, heldNanos: true, owedNanos: true } } } as const;

export class OrganizationStore {
  constructor(private readonly database: Database) {}

  async findOrganization(organizationId: string): Promise<OrganizationRecord | null> {
    const where = { id: organizationId };
    const row = await this.database.prisma.organization.findUnique({ where, include: WITH_WALLET });
    return row && toRecord(row);
  }

  /** Null too for an organization that is not there. */
  async usageTagOf(organizationId: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ readonly usage_tag: string | null }>({
      name: 'find_usage_tag',
      text: 'SELECT usage_tag FROM organizations WHERE id = $1',
      values: [organizationId],
    });
    return rows[0]?.usage_tag ?? null;
  }

  /** All organizations. */
  listOrganizations(
    page: Page,
    { text, state }: OrganizationFilter = {},
  ): Promise<Slice<OrganizationRecord>> {
    return this.listWhere(page, {
      ...(state !== undefined && { state }),
      ...(text !== undefined && { OR: searchedBy(text) }),
    });
  }

  /** The organizations where the user is an active member. */
  listOfMember(userId: string, page: Page): Promise<Slice<OrganizationRecord>> {
    return this.listWhere(page, { members: { some: { userId, state: 'active' } } });
  }

  /** Creates an organization with an empty wallet. */
  async createOrganization(
    tx: Transaction,
    { id, name }: { readonly id: string; readonly name: string },
  ): Promise<OrganizationRecord> {
    const data = { id, name, wallet: { create: {} } };
    return toRecord(await prismaOf(tx).organization.create({ data, include: WITH_WALLET }));
  }

  /** See {@link lockOrganization}. */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<OrganizationRecord | null> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    const row = await prisma.organization.findUnique({
      where: { id: organizationId },
      include: WITH_WALLET,
    });
    return row && toRecord(row);
  }

  /** Changes only the given fields. */
  async changeOrganization(
    tx: Transaction,
    organizationId: string,
    data: Partial<Omit<OrganizationRecord, Fixed>>,
  ): Promise<OrganizationRecord> {
    const row = await prismaOf(tx).organization.update({
      where: { id: organizationId },
      data,
      include: WITH_WALLET,
    });
    return toRecord(row);
  }

  private async listWhere(
    page: Page,
    where: Prisma.OrganizationWhereInput,
  ): Promise<Slice<OrganizationRecord>> {
    const rows = await this.database.prisma.organization.findMany({
      ...pageArguments(page),
      where: { ...where, ...olderThan(page) },
      include: WITH_WALLET,
    });
    return sliceOf(rows, page, toRecord);
  }
}

type Row = Prisma.OrganizationGetPayload<{ include: typeof WITH_WALLET }>;

const toRecord = ({ wallet, state, ...row }: Row): OrganizationRecord => ({
  ...row,
  state: state as OrganizationState,
  balance: nanos(wallet?.balanceNanos ?? 0),
  held: nanos(wallet?.heldNanos ?? 0),
  owed: nanos(wallet?.owedNanos ?? 0),
});
