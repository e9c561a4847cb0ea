import { nanos } from '@svc/kernel';
import { ParkedMessages, ParkedMessageStore } from '@svc/database';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { namesIn, type OpenApiOperation } from '@svc/testing';
import { type Answered, type Client, type Organization } from '../management-under-test';
import { filled, ofOrganizations, shortestBody, type Surface } from './surface';

/** An organization with one of each resource, with their ids by their names in paths. */
export interface Populated {
  readonly organization: Organization;
  readonly owner: Client & { readonly keyId: string };
  readonly ids: Readonly<Record<string, string>>;
}

/**
 * Creates one of each resource by the document's examples, so that a new resource is populated as soon as it is
 * declared.
 */
export async function populate(surface: Surface): Promise<Populated> {
  const { management, document } = surface;
  const organization = await management.newOrganization();
  const owner = await management.withKey(organization);
  await management.withSession(organization, 'developer');
  await recordCall(management.database, organization);
  await recordIncident(management.database, organization);
  const fileId = await recordFile(management.database, organization);
  await makeOneOfEach(surface, organization, owner);
  await recordAlert(management.database, organization);
  await recordApproval(management.database, organization, owner.keyId);
  await recordPayment(management.database, organization);
  await recordPaymentMethod(management.database, organization);
  await recordRollout(management.database, organization);
  await sendTest(owner);
  await sendTest(owner);
  const ids: Record<string, string> = { organization_id: organization.id, file_id: fileId };
  // Shorter paths come first: a list inside a resource needs the resource's id.
  for (const { path } of [...ofOrganizations(document)].sort((a, b) => a.path.length - b.path.length)) {
    const [, collection, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
    if (collection === undefined || name === undefined || name in ids) continue;
    ids[name] = await newestId(owner, filled(collection, ids));
  }
  await recordIntegrationDelivery(management.database, ids);
  await writeLowerPolicies(surface, owner, ids);
  ids['parked_message_id'] = await parkMessage(management.database);
  return { organization, owner, ids };
}

/** Policies of the project and the key, whose versions have the same name in paths as those of the organization. */
async function writeLowerPolicies(
  { document }: Surface,
  owner: Client,
  ids: Record<string, string>,
): Promise<void> {
  for (const { path, method } of ofOrganizations(document)) {
    if (method !== 'GET' || !/\/(projects|keys)\/.*\/\{policy_id\}$/.test(path)) continue;
    const policy = filled(path.replace('/versions/{policy_id}', ''), ids);
    const { body } = await owner.call('PUT', policy, {});
    ids[path.replace('{policy_id}', '')] = (body as { id: string }).id;
  }
}

/** A delivery to the integration with the id of the one to the endpoint: in paths, both have the same name. */
async function recordIntegrationDelivery(
  { prisma }: Surface['management']['database'],
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const {
    delivery_id: id = '',
    organization_id: organizationId = '',
    integration_id: integrationId = '',
  } = ids;
  const event = { eventId: systemIds('event'), eventType: 'integration.test', body: '{"text":"Of a spec"}' };
  await prisma.integrationDelivery.create({ data: { id, organizationId, integrationId, ...event } });
}

/** A message that no consumer could process. */
async function parkMessage(database: Surface['management']['database']): Promise<string> {
  await new ParkedMessageStore(database).park({
    consumer: 'of-a-spec',
    topic: 'svc.events.v1',
    partition: 0,
    offset: BigInt(Date.now()),
    key: null,
    payload: Buffer.from('nothing'),
    reason: 'UnprocessableEvent: no event',
  });
  const { items } = await new ParkedMessages(database).listParkedMessages({ limit: 1, before: null }, {});
  return items[0]?.id ?? '';
}

/** @returns the answer to each creation. */
export async function makeOneOfEach(
  { management, document }: Surface,
  organization: Organization,
  owner: Client,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  const training_file = await newestId(owner, '/api/v1/fine-tuning/files');
  const model = await recordTunedModel(management.database, organization);
  for (const operation of ofOrganizations(document).filter(isCreation)) {
    const body = withExisting(shortestBody(document, operation), { training_file, model });
    const answer = await owner.call(operation.method, operation.path, body);
    if (answer.status >= 300) {
      throw new Error(
        `The example of ${operation.operationId} is answered with ${JSON.stringify(answer.body)}`,
      );
    }
    answers.push(answer);
  }
  return answers;
}

/** No example can name a file or a fine-tuned model that is there. */
function withExisting(
  body: unknown,
  { training_file, model }: { readonly training_file: string; readonly model: string },
): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if ('training_file' in body) return { ...body, training_file };
  return 'hardware' in body ? { ...body, model } : body;
}

/** A training file: forms are no calls of the document. */
export async function recordFile(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
  fileId: string = systemIds('file'),
): Promise<string> {
  const { id } = await prisma.trainingFile.create({
    data: {
      ...{ id: fileId, organizationId, filename: 'train.jsonl', state: 'processed', partBytes: 1 },
      ...{ keyCiphertext: Buffer.from('of a spec'), creatorType: 'api_key', creatorId: 'of a spec' },
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  return id;
}

let tunedModels = 0;

/** A fine-tuned model without an endpoint: only a worker makes one. @returns its name. */
export async function recordTunedModel(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
  name = `ft-ofaspecs/small-${String(++tunedModels)}-abcdef`,
): Promise<string> {
  await prisma.fineTunedModel.create({
    data: {
      ...{ name, organizationId, jobId: systemIds('fineTuningJob') },
      ...{ baseModel: 'acme/small', provider: 'acme', upstreamModel: 'ft:small', region: 'eu-west' },
    },
  });
  return name;
}

/** Makes a delivery to the newest webhook endpoint or integration. */
export async function sendTest(
  owner: Client,
  collection: 'webhook-endpoints' | 'integrations' = 'webhook-endpoints',
): Promise<Answered> {
  const path = `/api/v1/${collection}`;
  return owner.post(`${path}/${await newestId(owner, path)}/test`);
}

/**
 * True where a key can create by the operation, without any id: no action on a resource, and only one path form of each.
 */
const isCreation = ({ method, path, security = [] }: OpenApiOperation): boolean =>
  (method === 'POST' || method === 'PUT') &&
  namesIn(path).length === 0 &&
  security.some((scheme) => 'apiKey' in scheme);

async function newestId(owner: Client, path: string): Promise<string> {
  const { body } = await owner.get(path);
  const found = (body as { data?: { id: string }[] }).data?.[0]?.id;
  if (found === undefined) throw new Error(`There is nothing at ${path}: populate it`);
  return found;
}

/** A payment that succeeded, or is in review: only what the provider says makes it so. */
export async function recordPayment(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
  state: 'succeeded' | 'review' = 'succeeded',
): Promise<string> {
  const credited = {
    creditGrantId: systemIds('creditGrant'),
    receiptNumber: `TEST-${systemIds('payment')}`,
    completedAt: new Date(),
  };
  const { id } = await prisma.payment.create({
    data: {
      id: systemIds('payment'),
      organizationId,
      kind: 'checkout',
      amountNanos: 50_000_000_000n,
      currency: 'usd',
      livemode: false,
      state,
      createdByType: 'system',
      ...(state === 'succeeded' ? credited : {}),
    },
  });
  return id;
}

/** A card that was saved: only the provider confirms one. */
async function recordPaymentMethod(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
): Promise<void> {
  const id = systemIds('paymentMethod');
  const card = { providerReference: `card_${id}`, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 };
  await prisma.paymentMethod.create({
    data: { id, organizationId, livemode: false, state: 'active', ...card, createdByType: 'system' },
  });
}

/** The example of a policy names none: it may be one of a catalog without its provider. */
async function recordRollout(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
): Promise<void> {
  const target = { model: 'acme/large' };
  const id = systemIds('rollout');
  await prisma.rollout.create({
    data: {
      ...{ id, organizationId, name: 'of-a-spec', model: 'acme/small', target },
      ...{ shareBps: 500, subject: 'end_user', minCalls: 50 },
    },
  });
}

/** Only people make policies: one that gates nothing, and a request of the key that waits for it. */
export async function recordApproval(
  { prisma }: Surface['management']['database'],
  { id: organizationId }: Organization,
  keyId: string,
): Promise<readonly string[]> {
  const policy = {
    id: systemIds('approvalPolicy'),
    name: 'Of a spec',
    version: 1,
    requiredApprovals: 1,
  };
  await prisma.approvalPolicy.create({
    data: {
      ...policy,
      organizationId,
      actions: ['project.create'],
      approverRoles: ['owner'],
      approverUserIds: [],
      expiresAfterSeconds: 604_800,
      enabled: false,
    },
  });
  const approvers = { roles: ['owner'], userIds: [] };
  const { id } = await prisma.approvalRequest.create({
    data: {
      id: systemIds('approvalRequest'),
      organizationId,
      action: 'project.create',
      // No process serves it, so it is never executed.
      route: 'POST /of-a-spec',
      method: 'POST',
      path: '/of-a-spec',
      body: { name: 'Alpha' },
      changes: { name: { to: 'Alpha' } },
      callSha256: Buffer.from('of a spec'),
      callCiphertext: Buffer.from('of a spec'),
      requesterType: 'api_key',
      requesterId: keyId,
      requestId: systemIds('request'),
      policies: [{ ...policy, approvers, approvalCount: 0 }],
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  return [policy.id, id];
}

/** The worker opens alerts. */
async function recordAlert(
  database: Surface['management']['database'],
  { id: organizationId }: Organization,
): Promise<void> {
  const filter = {
    project_id: null,
    api_key_id: null,
    model: null,
    provider: null,
    budget_id: null,
    webhook_endpoint_id: null,
    integration_id: null,
  };
  const rule = {
    name: 'Calls',
    metric: 'request_count',
    threshold: 1,
    window_seconds: 300,
    period: null,
    filter,
    min_requests: 20,
    for_seconds: 0,
    keep_firing_seconds: 300,
    repeat_seconds: null,
    severity: 'warning',
  };
  const at = new Date();
  await database.prisma.alert.create({
    data: {
      id: systemIds('alert'),
      organizationId,
      alertRuleId: systemIds('alertRule'),
      rule,
      severity: 'warning',
      observed: 1n,
      peak: 1n,
      windowStartedAt: at,
      firedAt: at,
    },
  });
}

/** Makes what no management call of an organization makes: an inference call and money. */
async function recordCall(
  database: Surface['management']['database'],
  organization: Organization,
): Promise<void> {
  await new WalletStore(database).credit(organization.id, nanos(1_000_000_000n), 'For a spec');
  await database.prisma.requestRecord.create({
    data: {
      id: systemIds('request'),
      organizationId: organization.id,
      projectId: organization.projectId,
      apiKeyId: systemIds('apiKey'),
      edgeInstanceId: 'of-a-spec',
      route: 'chat_completions',
      model: 'acme/small',
      stream: false,
      status: 'succeeded',
      heldNanos: 1n,
      provider: 'anthropic',
      httpStatus: 200,
      customerNanos: 1n,
      costState: 'final',
      finishedAt: new Date(),
      durationMs: 12,
    },
  });
}

/** As a worker writes it. */
async function recordIncident(
  database: Surface['management']['database'],
  { id: organizationId }: Organization,
): Promise<void> {
  const now = new Date();
  const standing = { state: 'investigating', severity: 'minor', components: ['inference'] };
  await database.prisma.incident.create({
    data: {
      id: systemIds('incident'),
      title: 'Of a spec',
      ...standing,
      source: 'operator',
      audience: 'organizations',
      organizationIds: [organizationId],
      startedAt: now,
      updateCount: 1,
      updates: { create: { number: 1, at: now, message: 'Of a spec.', ...standing } },
      organizations: { create: { organizationId, affectedSince: now, toldCount: 1 } },
    },
  });
}
