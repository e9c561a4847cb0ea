import { type ReceivedAnswer } from '@svc/testing';
import { type Answered } from '../management-under-test';
import { type FuzzedCall, type FuzzedCaller } from './fuzzed-call';
import { makeOneOfEach, populate, recordApproval, recordPayment, sendTest } from './populated';
import { CANARY, withIds } from './schema-values';
import { unknownLike, type Surface } from './surface';

type Credentials = Readonly<Record<FuzzedCaller, Readonly<Record<string, string>>>>;

const POOL_MAX = 40;
const INTEGRATIONS_KEPT = 10;
/** Above the jobs that calls make between two refills. */
const CALLS_MAX = 1_000;
/** No call makes a member: invitees become members on a page. */
const MEMBERS = 20;

/** The callers of generated calls, and the ids that the calls name: ours, another organization's and unknown ones. */
export class FuzzedWorld {
  /** A delivery is found at its own endpoint or integration only: the path of the newest of each, by their collection. */
  private readonly newestDelivery = new Map<string, string>();

  private constructor(
    private readonly refillFrom: () => Promise<readonly Answered[]>,
    private readonly credentials: Credentials,
    private readonly pools: Map<string, string[]>,
    private readonly own: { readonly organizationId: string; readonly ownerKeyId: string },
    private readonly foreignIds: readonly string[],
  ) {}

  static async of(surface: Surface): Promise<FuzzedWorld> {
    const { management } = surface;
    const ours = await populate(surface);
    const theirs = await populate(surface);
    await management.database.prisma.organization.update({
      where: { id: ours.organization.id },
      data: { fineTuningJobsMax: CALLS_MAX },
    });
    // The operator's calls are about other organizations: they may suspend one.
    const operated = await Promise.all([management.newOrganization(), management.newOrganization()]);
    const session = (await management.withSession(ours.organization, 'owner')).headers;
    const { 'x-csrf-token': _, ...cookie } = session;
    const credentials: Credentials = {
      owner: ours.owner.headers,
      session,
      noCsrf: cookie as Record<string, string>,
      reader: (await management.withKey(ours.organization, ['org:read', 'usage:read'])).headers,
      project: (await management.withKey(ours.organization, undefined, ours.organization.projectId)).headers,
      token: (await management.withAccessToken(ours.organization, 'owner', ['usage:read', 'projects:write']))
        .headers,
      foreign: theirs.owner.headers,
      operator: { authorization: `Bearer ${management.platformToken}` },
      nobody: {},
      garbage: { authorization: 'Bearer svc_sk_\u00ff' },
    };
    const pools = new Map<string, string[]>();
    const world = new FuzzedWorld(
      async () => {
        await unblock(management.database, ours.organization.id);
        // As a worker completes those that wait.
        const at = new Date();
        await management.database.prisma.export.updateMany({
          where: { state: 'queued' },
          data: { state: 'completed', sha256: 'of a spec', completedAt: at, endedAt: at, expiresAt: at },
        });
        await endWhatRuns(management.database, at);
        await dropOldIntegrations(management.database, ours.organization.id, at);
        const ids = await recordApproval(management.database, ours.organization, ours.owner.keyId);
        for (const id of ids) world.remember(id);
        for (const state of ['succeeded', 'review', 'review'] as const) {
          world.remember(await recordPayment(management.database, ours.organization, state));
        }
        return [
          ...(await makeOneOfEach(surface, ours.organization, ours.owner)),
          await sendTest(ours.owner),
          await sendTest(ours.owner, 'integrations'),
        ];
      },
      credentials,
      pools,
      { organizationId: ours.organization.id, ownerKeyId: ours.owner.keyId },
      Object.values(theirs.ids),
    );
    for (const id of Object.values(ours.ids)) world.remember(id);
    for (const { id } of operated) world.remember(id);
    for (let at = 0; at < MEMBERS; at++)
      world.remember((await management.withSession(ours.organization, 'developer')).memberId);
    return world;
  }

  /** The call as it is sent: with its caller's credential, and with ids in place of their marks. */
  made(call: FuzzedCall): FuzzedCall {
    const choose = (prefix: string, pick: number) =>
      this.idOf(prefix, pick, call.path.startsWith('/platform/'));
    const headers = Object.entries(call.headers).map(([name, value]) => [name, withIds(value, choose)]);
    return {
      ...call,
      path: this.atItsReceiver(withIds(call.path, choose)),
      headers: { ...Object.fromEntries(headers), ...this.credentials[call.caller] } as Record<string, string>,
      body: call.body === null ? null : withIds(call.body, choose),
    };
  }

  /** Recreates what calls have deleted. */
  async refill(): Promise<void> {
    for (const { body } of await this.refillFrom()) {
      this.learn({ status: 201, text: JSON.stringify(body) });
      const { id, endpoint_id, integration_id } = body as Record<string, string | undefined>;
      const receiver = endpoint_id ?? integration_id;
      if (id === undefined || receiver === undefined) continue;
      const collection = endpoint_id === undefined ? 'integrations' : 'webhook-endpoints';
      this.newestDelivery.set(collection, `${receiver}/deliveries/${id}`);
    }
  }

  /**
   * Remembers what a call created, for later calls. Other answers are ignored: they name the creator too, who must
   * stay.
   */
  learn({ status, text }: Pick<ReceivedAnswer, 'status' | 'text'>): void {
    if (status !== 201) return;
    for (const [, id = ''] of text.matchAll(/"id":"([a-z]+_[0-9a-z]{26})"/g)) this.remember(id);
  }

  /** The secret that an answer shows; null for none. */
  leaked({ text }: ReceivedAnswer): string | null {
    if (text.includes(CANARY)) return 'shows a secret that was sent';
    const shown = Object.entries(this.credentials).find(([, headers]) =>
      Object.values(headers).some((value) => text.includes(value.replace(/^Bearer |^svc_session=/, ''))),
    );
    return shown === undefined ? null : `shows the credential of ${shown[0]}`;
  }

  /** An id of ours becomes that of the newest delivery in its collection, so that both ids of the path fit. */
  private atItsReceiver(path: string): string {
    return path.replace(
      /(webhook-endpoints|integrations)\/[^/]+\/deliveries\/(dlv_\w+)/,
      (found, collection: string, id: string) => {
        const newest = this.newestDelivery.get(collection);
        const isOurs = this.pools.get('dlv')?.includes(id) === true;
        return newest === undefined || !isOurs ? found : `${collection}/${newest}`;
      },
    );
  }

  private remember(id: string): void {
    const prefix = id.slice(0, id.indexOf('_'));
    const pool = this.pools.get(prefix) ?? [];
    this.pools.set(prefix, pool);
    // The operator would suspend our own organization, and every later call would get a 401.
    // Nor could what was deleted be made again without the owner's key, which payments name as their creator.
    if (pool.includes(id) || id === this.own.organizationId || id === this.own.ownerKeyId) return;
    pool.push(id);
    if (pool.length > POOL_MAX) pool.shift();
  }

  /** Of ten picks, one is another organization's id, and one is unknown. */
  private idOf(prefix: string, pick: number, isOperators: boolean): string {
    const known = this.pools.get(prefix) ?? [];
    const some = known[pick % Math.max(known.length, 1)] ?? `${prefix}_${'0'.repeat(26)}`;
    if (pick % 10 === 8) return unknownLike(some);
    if (pick % 10 === 9 && !isOperators)
      return this.foreignIds.find((id) => id.startsWith(`${prefix}_`)) ?? some;
    return prefix === 'org' && !isOperators ? this.own.organizationId : some;
  }
}

/** An organization has 20 at most, and calls make them faster than they delete them. */
async function dropOldIntegrations(
  { prisma }: Surface['management']['database'],
  organizationId: string,
  deletedAt: Date,
): Promise<void> {
  const old = await prisma.integration.findMany({
    where: { organizationId, deletedAt: null },
    orderBy: { id: 'desc' },
    skip: INTEGRATIONS_KEPT,
  });
  await prisma.integration.updateMany({
    where: { id: { in: old.map(({ id }) => id) } },
    data: { deletedAt },
  });
}

/** A policy that a call has made would gate what is recreated, and a budget would refuse its jobs and endpoints. */
async function unblock({ prisma }: Surface['management']['database'], organizationId: string): Promise<void> {
  await prisma.approvalPolicy.deleteMany({ where: { organizationId, enabled: true } });
  await prisma.budget.updateMany({ where: { organizationId }, data: { action: 'warn' } });
}

/** As a worker ends them. */
async function endWhatRuns({ prisma }: Surface['management']['database'], endedAt: Date): Promise<void> {
  const data = { state: 'cancelled', endedAt };
  await prisma.fineTuningJob.updateMany({ where: { endedAt: null }, data });
  const run = { state: 'stopped', stopReason: 'user', endedAt };
  await prisma.fineTuningEndpointRun.updateMany({ where: { endedAt: null }, data: run });
}
