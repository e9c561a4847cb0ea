import { gateableActions } from '@svc/approvals';
import { systemIds } from '@svc/runtime';
import { type OpenApiOperation } from '@svc/testing';
import { type Answered, type Client } from '../testing/management-under-test';
import { populate, recordTunedModel, type Populated } from '../testing/surface/populated';
import { filled, ofOrganizations, openSurface, shortestBody, type Surface } from '../testing/surface/surface';

/** Bodies to use where the example would change nothing, or would name what is not there. */
const bodies: Readonly<Record<string, object>> = {
  updateOrganization: { name: 'Of an approval' },
  updateMember: { role: 'viewer' },
  updateProject: { name: 'Of an approval' },
  updateApiKey: { name: 'Of an approval' },
  updateBudget: { name: 'Of an approval' },
  updateWebhookEndpoint: { description: 'Of an approval' },
  updateAlertRule: { name: 'Of an approval' },
  updateApprovalPolicy: { name: 'Of an approval' },
  updateFineTuningEndpoint: { idle_stop_minutes: 7 },
};

/** Tables that a call writes although it waits: the request with its entry, event and mails, and the use of a session. */
const WRITTEN = ['approval_requests', 'audit_entries', 'outbox_events', 'mails', 'console_sessions'];

describe('an approval policy over everything', () => {
  let surface: Surface;
  let ours: Populated;
  let caller: Client;
  let model: string;
  const mailed: string[] = [];
  beforeAll(async () => {
    surface = await openSurface({
      mailer: {
        send: ({ to }) => {
          mailed.push(to);
          return Promise.resolve();
        },
      },
    });
    ours = await populate(surface);
    model = await recordTunedModel(surface.management.database, ours.organization);
    const session = await surface.management.withSession(ours.organization, 'owner');
    caller = session;
    mailed.length = 0;
    await surface.management.database.prisma.approvalPolicy.create({
      data: {
        id: systemIds('approvalPolicy'),
        organizationId: ours.organization.id,
        name: 'Everything',
        actions: Object.keys(gateableActions),
        approverRoles: [],
        approverUserIds: [systemIds('user')],
        requiredApprovals: 1,
        expiresAfterSeconds: 3_600,
        enabled: true,
      },
    });
  });
  afterAll(() => surface.close());

  const mutations = () => ofOrganizations(surface.document).filter(({ method }) => method !== 'GET');
  const isGateable = (operation: OpenApiOperation) => operation['x-approval-action'] !== undefined;
  /** An invitation that is sent again waits only where it gives an approver's role. */
  const isAlwaysGated = (operation: OpenApiOperation) =>
    isGateable(operation) && operation['x-approval-action'] !== 'invitation.resend';
  const call = (operation: OpenApiOperation): Promise<Answered> => {
    const { method, path, operationId } = operation;
    const name = operationId.replace(/InOrganization$/, '');
    const made: Readonly<Record<string, object>> = {
      createFineTuningJob: { model: 'acme/small', training_file: ours.ids['file_id'] },
      createFineTuningEndpoint: { model, hardware: 'gpu-1x' },
    };
    const body = made[name] ?? bodies[name] ?? shortestBody(surface.document, operation);
    return caller.call(method, filled(path, ours.ids), body);
  };

  it('makes exactly the routes wait that declare an action, and they change nothing', async () => {
    await caller.post(`/api/v1/provider-credentials/${ours.ids['credential_id']!}/disable`);
    const before = await contents(surface);
    const gated = mutations().filter(isAlwaysGated);
    for (const operation of gated) {
      const { status, body } = await call(operation);
      expect([operation.operationId, status, body.error?.code]).toEqual([
        operation.operationId,
        400,
        'approval_required',
      ]);
      const request = await caller.get(
        `/api/v1/approval-requests/${body.error.approval_request_id as string}`,
      );
      expect(request.body.action).toBe(operation['x-approval-action']);
    }
    expect(await contents(surface)).toEqual(before);
    expect(mailed).toEqual([]);
    expect(gated.length).toBeGreaterThan(40);
  });

  it('lets every other route through', async () => {
    const others = mutations().filter((operation) => !isGateable(operation));
    for (const operation of others) {
      const { body } = await call(operation);
      expect([operation.operationId, body?.error?.code]).not.toEqual([
        operation.operationId,
        'approval_required',
      ]);
    }
    expect(others.length).toBeGreaterThan(20);
  });

  it('has a route for every action that it can gate', () => {
    const declared = mutations().map((operation) => operation['x-approval-action']);
    const missing = Object.keys(gateableActions).filter((action) => !declared.includes(action));
    // apps/auth serves the apps.
    expect(missing.filter((action) => !action.startsWith('oauth_app.'))).toEqual([]);
  });
});

/** A digest of each table that a call which waits must not touch. */
async function contents({ management }: Surface): Promise<Record<string, string | null>> {
  const { pool } = management.database;
  const tables = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY ($1)`,
    [WRITTEN],
  );
  const digests = tables.rows.map(async ({ name }) => {
    const { rows } = await pool.query<{ digest: string | null }>(
      `SELECT md5(string_agg(row, ';' ORDER BY row)) AS digest FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM "${name}" t) AS rows`,
    );
    return [name, rows[0]?.digest ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}
