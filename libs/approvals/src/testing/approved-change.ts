import { ProjectStore } from '@svc/access/store';
import { type Database, initialFields } from '@svc/database';
import { createSealer, systemIds } from '@svc/runtime';
import {
  type ApprovedCall,
  type ApprovedCallQueue,
  type ExecutedAnswer,
  type GatedCall,
} from '../rules/gated-call';
import { Mutations, type ChangeAuthor } from '../store/mutations';

export const ROUTE = 'POST /api/v1/projects';
export const NAME = 'Approved';
export const sealer = createSealer(Buffer.alloc(32, 7));

/** Makes a project, as the management API does. */
function makeProject(database: Database, author: ChangeAuthor): Promise<string> {
  const store = new ProjectStore(database);
  return new Mutations(database, { sealer }).run(author, async ({ tx, newId, audit }) => {
    const { organizationId } = author;
    const { id } = await store.createProject(tx, { id: newId('project'), organizationId, name: NAME });
    await audit('project.create', id, initialFields({ name: NAME }));
    return id;
  });
}

/** An organization whose owner asked for a project, which is approved. @returns the ids. */
export async function approvedChange(database: Database) {
  const { prisma } = database;
  const organizationId = systemIds('organization');
  const userId = systemIds('user');
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await prisma.user.create({ data: { id: userId, email: `${userId}@example.com` } });
  await prisma.member.create({ data: { id: systemIds('member'), organizationId, userId, role: 'owner' } });
  await prisma.approvalPolicy.create({
    data: {
      id: systemIds('approvalPolicy'),
      organizationId,
      name: 'Projects',
      actions: ['project.*'],
      approverRoles: ['owner'],
      approverUserIds: [],
      requiredApprovals: 1,
      expiresAfterSeconds: 3_600,
      enabled: true,
    },
  });
  const call: GatedCall = {
    route: ROUTE,
    method: 'POST',
    path: '/api/v1/projects',
    input: { params: {}, query: {}, headers: {}, body: { name: NAME } },
    shownBody: { name: NAME },
    reason: null,
  };
  const author = {
    organizationId,
    actor: { type: 'user', id: userId },
    userId,
    requestId: systemIds('request'),
  } as const;
  const answer = makeProject(database, { ...author, call });
  const id = await answer.then(
    () => {
      throw new Error('The change must wait');
    },
    (error: { approvalRequestId?: string }) => error.approvalRequestId ?? '',
  );
  await database.pool.query(
    `UPDATE approval_requests SET state = 'approved', decided_at = now(), due_at = now() WHERE id = $1`,
    [id],
  );
  return { organizationId, id };
}

/** Claims the approved call and makes it. @param inside runs in its transaction, after the change. */
export async function makeApproved(
  database: Database,
  queue: ApprovedCallQueue,
  inside: (call: ApprovedCall) => Promise<void> | void = () => undefined,
): Promise<ApprovedCall | null> {
  const call = await queue.claim([ROUTE]);
  if (call === null) return null;
  await queue.execute(call, async (execution): Promise<ExecutedAnswer> => {
    const { organizationId, requester, requestId } = call;
    const actor = { type: requester.type, id: requester.id };
    const id = await makeProject(database, { organizationId, actor, requestId, execution });
    await inside(call);
    return { status: 201, body: { id }, hasSecret: false };
  });
  return call;
}
