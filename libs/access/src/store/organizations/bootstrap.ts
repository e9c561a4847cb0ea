import { type Database, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type Nanos, type NewId, ZERO_NANOS } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';

export interface BootstrapInput {
  readonly organizationName: string;
  readonly ownerEmail: string;
  /** argon2id, PHC string. */
  readonly ownerPasswordHash: string;
  readonly projectName: string;
  /** An organization-wide key, as a hash. Only the caller knows the secret. */
  readonly apiKey: {
    readonly name: string;
    readonly sha256: Uint8Array;
    readonly prefix: string;
    readonly scopes: readonly string[];
  };
  readonly credit: Nanos;
}

interface BootstrapResult {
  /** False when an organization existed already: nothing was written. */
  readonly created: boolean;
  readonly organizationId: string;
  readonly projectId: string;
  readonly ownerEmail: string;
}

/** Key of the advisory lock that lets only one of concurrent first starts create the organization. */
const BOOTSTRAP_LOCK = 7_310_002;

/** The first organization with its owner, project, key and wallet (docs/configuration.md#the-first-start). */
export function bootstrap(
  database: Database,
  input: BootstrapInput,
  newId: NewId = systemIds,
): Promise<BootstrapResult> {
  return new UnitOfWork(database).transaction(async (tx) => {
    await prismaOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`;
    return (await findFirst(tx)) ?? (await createFirst(tx, database, input, newId));
  });
}

async function findFirst(tx: Transaction): Promise<BootstrapResult | null> {
  const prisma = prismaOf(tx);
  const organization = await prisma.organization.findFirst({ orderBy: { id: 'asc' } });
  if (organization === null) return null;
  const where = { organizationId: organization.id };
  const project = await prisma.project.findFirstOrThrow({ where, orderBy: { id: 'asc' } });
  // The first member is the owner it was created for, even if the role has changed since.
  const owner = await prisma.member.findFirstOrThrow({
    where,
    orderBy: { id: 'asc' },
    include: { user: true },
  });
  return {
    created: false,
    organizationId: organization.id,
    projectId: project.id,
    ownerEmail: owner.user.email,
  };
}

async function createFirst(
  tx: Transaction,
  database: Database,
  input: BootstrapInput,
  newId: NewId,
): Promise<BootstrapResult> {
  const prisma = prismaOf(tx);
  const organizationId = newId('organization');
  const userId = newId('user');
  const memberId = newId('member');
  const projectId = newId('project');
  const ownerEmail = input.ownerEmail.toLowerCase();
  await prisma.organization.create({ data: { id: organizationId, name: input.organizationName } });
  await prisma.user.create({
    data: { id: userId, email: ownerEmail, passwordHash: input.ownerPasswordHash },
  });
  await prisma.member.create({ data: { id: memberId, organizationId, userId, role: 'owner' } });
  await prisma.project.create({ data: { id: projectId, organizationId, name: input.projectName } });
  await prisma.apiKey.create({
    data: {
      id: newId('apiKey'),
      organizationId,
      name: input.apiKey.name,
      prefix: input.apiKey.prefix,
      secretSha256: Uint8Array.from(input.apiKey.sha256),
      scopes: [...input.apiKey.scopes],
      createdBy: userId,
      memberId,
    },
  });
  if (input.credit > ZERO_NANOS) {
    await new WalletStore(database, newId).creditWithin(tx, organizationId, input.credit, 'Welcome credit');
  } else {
    await prisma.wallet.create({ data: { organizationId } });
  }
  return { created: true, organizationId, projectId, ownerEmail };
}
