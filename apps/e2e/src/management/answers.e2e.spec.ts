import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, namesIn, type Json, type OpenApiOperation } from '@svc/testing';
import { isSeparate } from '../harness/config';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { DocumentedCalls, type Overrides } from './documented-calls';
import { hiddenFields } from './hidden-fields';

/** The models for the examples of the document: those of the shipped catalog without a real provider. */
const MODEL = 'simulator/echo';
const EMBEDDING_MODEL = 'simulator/embed';
const CALLBACK = 'http://localhost:49152/callback';

/** Bodies to use where the document's example would stop the story. */
const bodies: Readonly<Record<string, object>> = {
  // The example closes the simulator's region.
  replacePolicy: {},
  // The example fires only after twenty calls, of which some failed.
  createAlertRule: {
    name: 'Low wallet',
    metric: 'wallet_available_nanos',
    threshold: Number.MAX_SAFE_INTEGER,
  },
  // The example has no secret that could be rotated.
  registerOauthApp: {
    name: 'Charts',
    app_type: 'confidential',
    redirect_uris: [CALLBACK],
    scopes: ['openid'],
    homepage: 'https://charts.example',
  },
};

/** The ids of created things, by their parameter in paths. */
type Ids = Record<string, string>;
type Headers = Readonly<Record<string, string>>;

// One story in order: later calls use what earlier ones created.
describe('the happy path of every operation, over HTTP alone', () => {
  let svc: SharedSvc;
  let calls: DocumentedCalls;
  let key: Overrides['headers'];
  const ids: Ids = { model_id: MODEL };
  beforeAll(async () => {
    svc = await sharedSvc();
    calls = await DocumentedCalls.of(svc.baseUrl);
    key = { authorization: `Bearer ${svc.apiKey}` };
    Object.assign(ids, { organization_id: svc.organizationId, project_id: svc.projectId });
  });

  const isOperators = ({ path }: OpenApiOperation) => path.startsWith('/platform/');
  /** Routes that need a member’s own session or consent: `appStory` and `leaverStory` cover them. */
  const isMembers = ({ path }: OpenApiOperation) => /\/oauth\/|\{grant_id\}|\/leave$/.test(path);
  /** Routes that need approvers: `approvalStory` covers them. */
  const isApprovals = ({ path }: OpenApiOperation) => path.includes('/approval-');
  /** Jobs and endpoints go on by themselves: a test above all others covers them. */
  const isTraining = ({ path }: OpenApiOperation) => /\/fine-tuning\/(jobs|models|endpoints)/.test(path);
  /** No call parks a message: the specs of apps/management do. */
  const isOfParked = ({ path }: OpenApiOperation) => path.includes('{parked_message_id}');
  const ofResources = (method: string) =>
    calls.document.operations.filter(
      (operation) =>
        operation.method === method && operation['x-permission'] !== undefined && !isOperators(operation),
    );
  const expectSuccess = async (operationId: string, overrides: Overrides = {}) => {
    const answer = await calls.call(operationId, { ids, headers: key!, ...overrides });
    expect([operationId, answer.status < 400 || answer.text]).toEqual([operationId, true]);
    return answer;
  };

  /** Of one process, whose port everybody reaches. */
  const metricsToken = async (): Promise<Record<string, string>> =>
    isSeparate
      ? {}
      : { authorization: `Bearer ${await readFile(join(svc.dataDir, 'metrics-token'), 'utf8')}` };

  it('anybody may read the description of the service, and its metrics with their token', async () => {
    const open = calls.document.operations.filter(
      ({ method, path, security = [], operationId }) =>
        method === 'GET' &&
        (security.length === 0 || operationId === 'getMetrics') &&
        !/\{|authorize|password-reset/.test(path),
    );
    for (const { operationId } of open) {
      const headers = operationId === 'getMetrics' ? await metricsToken() : {};
      await expectSuccess(operationId, { headers });
    }
    expect(open.length).toBeGreaterThan(6);
  });

  it('models are listed and called', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    await expectSuccess('listModels');
    await expectSuccess('getModel');
    const { headers } = await expectSuccess('createChatCompletion', { body: { model: MODEL, messages } });
    await expectSuccess('createChatCompletion', { body: { model: MODEL, messages, stream: true } });
    await expectSuccess('createMessage', { body: { model: MODEL, messages, max_tokens: 64 } });
    await expectSuccess('createMessage', { body: { model: MODEL, messages, max_tokens: 64, stream: true } });
    await expectSuccess('countMessageTokens', { body: { model: MODEL, messages } });
    await expectSuccess('createResponse', { body: { model: MODEL, input: 'Hello' } });
    await expectSuccess('createResponse', { body: { model: MODEL, input: 'Hello', stream: true } });
    await expectSuccess('createEmbedding', { body: { model: EMBEDDING_MODEL, input: 'Hello' } });
    ids['request_id'] = headers.get('x-request-id') ?? '';
  });

  /** @param content of every message. @returns the id of the file. */
  const newFile = async (content: string): Promise<string> => {
    const messages = ['user', 'assistant'].map((role) => ({ role, content }));
    const form = new FormData();
    form.set('purpose', 'fine-tune');
    form.set('file', new Blob([`${JSON.stringify({ messages })}\n`.repeat(10)]), 'train.jsonl');
    return (await expectSuccess('createFile', { body: form })).body.id as string;
  };

  /** Makes an endpoint for a model, starts, stops and deletes it. @param where the end of the operations' ids. */
  const serveOn = async (model: string, where: string): Promise<void> => {
    const body = { model, hardware: 'sim-small' };
    const made = await expectSuccess(`createFineTuningEndpoint${where}`, { body });
    const of = { ids: { ...ids, fine_tuning_endpoint_id: made.body.id as string } };
    const until = (state: string) =>
      eventually(async () => {
        expect((await expectSuccess(`getFineTuningEndpoint${where}`, of)).body.state).toBe(state);
      }, 60_000);
    await expectSuccess(`listFineTuningEndpoints${where}`);
    await expectSuccess(`updateFineTuningEndpoint${where}`, of);
    await expectSuccess(`startFineTuningEndpoint${where}`, of);
    await until('running');
    await expectSuccess(`stopFineTuningEndpoint${where}`, of);
    await until('stopped');
    await expectSuccess(`deleteFineTuningEndpoint${where}`, of);
  };

  it('models are trained, served, listed and deleted, and jobs cancelled', async () => {
    const newJob = async (operationId: string, training_file: string): Promise<string> =>
      (await expectSuccess(operationId, { body: { model: MODEL, training_file } })).body.id as string;
    const quick = await newFile('@simulator {"train_ms":100}');
    const trained = [
      await newJob('createOpenAiFineTuningJob', quick),
      await newJob('createFineTuningJob', quick),
    ];
    for (const fine_tuning_job_id of trained) {
      const of = { ids: { ...ids, fine_tuning_job_id } };
      await eventually(async () => {
        expect((await expectSuccess('getFineTuningJob', of)).body.state).toBe('succeeded');
      }, 60_000);
      for (const read of ['getOpenAiFineTuningJob', 'listFineTuningEvents', 'listFineTuningCheckpoints'])
        await expectSuccess(read, of);
      await expectSuccess('getFineTuningJobInOrganization', of);
      for (const said of ['Events', 'Checkpoints', 'Losses'])
        for (const form of ['', 'InOrganization']) await expectSuccess(`listFineTuningJob${said}${form}`, of);
    }
    for (const list of ['listOpenAiFineTuningJobs', 'listFineTuningJobs', 'listFineTuningJobsInOrganization'])
      await expectSuccess(list);
    await expectSuccess('listFineTunedModelsInOrganization');
    const models = (await expectSuccess('listFineTunedModels')).body.data as { id: string }[];
    expect(models).toHaveLength(2);
    for (const [at, where] of ['', 'InOrganization'].entries()) await serveOn(models[at]!.id, where);
    const deletions = ['deleteFineTunedModel', 'deleteFineTunedModelInOrganization'];
    for (const [at, operationId] of deletions.entries())
      await expectSuccess(operationId, { ids: { ...ids, model_id: models[at]!.id } });
    const endless = await newFile('@simulator {"job":"hangs"}');
    for (const suffix of ['OpenAiFineTuningJob', 'FineTuningJob', 'FineTuningJobInOrganization']) {
      const fine_tuning_job_id = await newJob('createFineTuningJobInOrganization', endless);
      await expectSuccess(`cancel${suffix}`, { ids: { ...ids, fine_tuning_job_id } });
    }
  });

  it('training files are uploaded, read and deleted', async () => {
    ids['file_id'] = await newFile('Hello');
    for (const read of ['listFiles', 'getFile', 'getFileContent', 'deleteFile']) await expectSuccess(read);
  });

  it('things are created', async () => {
    for (const operation of [...ofResources('POST'), ...ofResources('PUT')]) {
      const { operationId, path } = operation;
      if (isApprovals(operation) || isTraining(operation)) continue;
      if (namesIn(path).some((name) => name !== 'organization_id')) continue;
      const body = bodies[operationId.replace(/InOrganization$/, '')];
      remember(ids, path, (await expectSuccess(operationId, body === undefined ? {} : { body })).body);
    }
    await inviteMember('first@example.com');
  });

  it('the operator opens an incident of everybody', async () => {
    const headers = { authorization: `Bearer ${svc.platformToken ?? ''}` };
    const opened = await expectSuccess('createPlatformIncident', { headers });
    expect(opened.body.audience).toBe('all');
    ids['incident_id'] = opened.body.id as string;
    // A worker tells the organization, which sees it from then on.
    await eventually(async () => {
      expect((await expectSuccess('listIncidents')).body.data).toHaveLength(1);
    });
  });

  it('actions are done on them', async () => {
    const actions = ofResources('POST').filter(({ path }) =>
      namesIn(path).some((name) => name !== 'organization_id'),
    );
    // A test makes the first delivery, which the other calls use.
    const isTest = ({ path }: OpenApiOperation) => Number(path.endsWith('/test'));
    for (const operation of actions.sort((left, right) => isTest(right) - isTest(left))) {
      if (isMembers(operation) || isApprovals(operation) || isTraining(operation)) continue;
      if (operation.path.includes('{rollout_id}')) await newRollout();
      await findMissingIds(operation);
      if (operation.path.includes('{credential_id}')) await newCredentialFor(operation);
      if (operation.path.includes('{export_id}')) await newExportFor(operation);
      await expectSuccess(operation.operationId);
    }
  });

  /** An action may change a credential so that the next one is forbidden. */
  const newCredentialFor = async ({ path }: OpenApiOperation) => {
    remember(ids, 'provider-credentials', (await expectSuccess('createProviderCredential')).body);
    if (path.endsWith('/enable')) await expectSuccess('disableProviderCredential');
  };

  let rolloutCount = 0;
  /** One that runs, and moves nothing: each is aborted once. */
  const newRollout = async () => {
    const name = `trial-${String(rolloutCount++)}`;
    const rollout = { name, model: MODEL, to: { model: EMBEDDING_MODEL }, share_bps: 0, by: 'session' };
    await expectSuccess('replacePolicy', { body: { rollouts: [rollout] } });
    ids['rollout_id'] = (await expectSuccess('listRollouts')).body.data[0].id as string;
  };

  /** One with a link is completed. One that is cancelled waits behind others. */
  const newExportFor = async ({ path }: OpenApiOperation) => {
    for (let waiting = 0; waiting < 3; waiting++)
      remember(ids, 'exports', (await expectSuccess('createExport')).body);
    if (!path.endsWith('/download')) return;
    await eventually(async () => {
      expect((await expectSuccess('getExport')).body.state).toBe('completed');
    }, 30_000);
  };

  it('policies of a project and a key are written', async () => {
    for (const operation of ofResources('PUT').filter(({ path }) => /\{(project|key)_id\}/.test(path))) {
      await findMissingIds(operation);
      // The examples narrow what the story calls.
      await expectSuccess(operation.operationId, { body: {} });
    }
  });

  it('everything is read, and changed', async () => {
    for (const operation of [...ofResources('GET'), ...ofResources('PATCH')]) {
      if (isMembers(operation) || isApprovals(operation) || isTraining(operation)) continue;
      if (operation.path.endsWith('/receipt')) await payFor(operation);
      if (operation.path.endsWith('{payment_method_id}')) await keepCard(operation);
      if (operation.path.includes('{credential_id}')) await newCredentialFor(operation);
      await findMissingIds(operation);
      await expectSuccess(operation.operationId);
    }
  });

  /** There is a receipt of what was paid. The operator accepts or dismisses what was paid with another amount. */
  const payFor = async ({ path }: OpenApiOperation) => {
    const isReviewed = /\/(accept|dismiss)$/.test(path);
    const { body } = await expectSuccess('createTopUp');
    const { payment, checkout_url } = body as { payment: { id: string }; checkout_url: string };
    const simulator = (settings: object) =>
      fetch(`${new URL(checkout_url).origin}/__simulator/payments`, {
        method: 'PUT',
        body: new URLSearchParams({ settings: JSON.stringify(settings) }),
      });
    if (isReviewed) await simulator({ alter: { amount: 1_000 } });
    const paid = new URLSearchParams({ action: 'pay' });
    expect((await fetch(checkout_url, { method: 'POST', redirect: 'manual', body: paid })).status).toBe(303);
    ids['payment_id'] = payment.id;
    await eventually(async () => {
      const { state } = (await expectSuccess('getPayment')).body;
      expect(state).toBe(isReviewed ? 'review' : 'succeeded');
    });
    await simulator({});
  };

  const keepCard = async (operation: OpenApiOperation) => {
    const { body } = await expectSuccess('createPaymentMethod');
    await enterCard(operation, (body as { setup_url: string }).setup_url);
  };

  /** A payment method is there once its card was entered. */
  const enterCard = async (operation: OpenApiOperation, setupUrl: string) => {
    const entered = new URLSearchParams({ action: 'pay' });
    expect((await fetch(setupUrl, { method: 'POST', redirect: 'manual', body: entered })).status).toBe(303);
    delete ids['payment_method_id'];
    await findMissingIds(operation);
  };

  it('members log in, see who they are, and log out', async () => {
    const { owner_email: email, owner_password: password } = svc.ready;
    const login = await expectSuccess('logIn', { headers: {}, body: { email, password } });
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const session = await expectSuccess('getSession', { headers: { cookie } });
    await appStory(cookie);
    for (const operationId of ['leaveOrganization', 'leaveOrganizationInOrganization'])
      await leaverStory(`${operationId.toLowerCase()}@example.com`, operationId);
    const csrf = { 'x-csrf-token': session.body.csrf_token as string };
    for (const form of ['', 'InOrganization']) await approvalStory({ cookie, ...csrf }, form);
    expect((await expectSuccess('logOut', { headers: { cookie, ...csrf } })).status).toBe(204);
  });

  /** A member consents to an app by the page's form; the app gets tokens, and revokes them. */
  const appStory = async (cookie: string) => {
    const scopes = ['openid', 'usage:read'];
    const registered = await expectSuccess('registerOauthApp', {
      body: {
        name: 'Charts',
        app_type: 'public',
        redirect_uris: [CALLBACK],
        scopes,
        homepage: 'https://charts.example',
      },
    });
    const verifier = randomBytes(32).toString('base64url');
    const query = {
      client_id: registered.body.app.client_id as string,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: scopes.join(' '),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const page = await expectSuccess('authorize', { headers: { cookie, accept: 'text/html' }, query });
    const form = new URLSearchParams({ decision: 'allow' });
    for (const [, name = '', value = ''] of page.text.matchAll(
      /type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ))
      form.append(name, value);
    for (const scope of scopes) form.append('scope', scope);
    const back = await expectSuccess('consent', { headers: { cookie }, query, body: form });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchange = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    };
    const tokens = await expectSuccess('issueTokens', {
      headers: {},
      body: new URLSearchParams({ ...exchange, client_id: query.client_id }),
    });
    await expectSuccess('getUserinfo', {
      headers: { authorization: `Bearer ${String(tokens.body.access_token)}` },
    });
    const grants = await expectSuccess('listOwnGrants', { headers: { cookie } });
    await usersGrants(cookie, grants.body.data[0].id as string);
    await expectSuccess('revokeToken', { headers: {}, body: { token: tokens.body.refresh_token as string } });
  };

  /** A new key of the owner waits, until another member decides. @param form the end of the names of a path form. */
  const approvalStory = async (owner: Headers, form: string) => {
    const email = `approver${form.toLowerCase()}@example.com`;
    await inviteMember(email, 'security_admin');
    const { headers: approver } = await logIn(email, 'a long new password');
    const byOwner = (operationId: string, body?: object) =>
      expectSuccess(`${operationId}${form}`, { headers: owner, ...(body && { body }) });
    const byApprover = (operationId: string) => expectSuccess(`${operationId}${form}`, { headers: approver });
    const ended = async () => {
      await eventually(async () => {
        expect((await byApprover('getApprovalRequest')).body.state).toBe('executed');
      });
    };
    /** The request that the call now waits in. */
    const waits = async (operationId: string, body?: object) => {
      const answer = await calls.call(operationId, { ids, headers: owner, ...(body && { body }) });
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'approval_required']);
      ids['approval_request_id'] = answer.body.error.approval_request_id as string;
    };
    const policy = {
      name: 'Secrets',
      actions: ['api_key.create', 'oauth_app.create'],
      approvers: { roles: ['owner', 'security_admin'] },
    };
    ids['approval_policy_id'] = (await byOwner('createApprovalPolicy', policy)).body.id as string;
    for (const reading of ['listApprovalPolicies', 'getApprovalPolicy', 'listApprovalActions'])
      await byApprover(reading);
    const key = (name: string) => ({ name, scopes: ['usage:read'] });
    await waits('createApiKey', key('Cancelled'));
    await byOwner('cancelApprovalRequest');
    await waits('createApiKey', key('Rejected'));
    await byApprover('rejectApprovalRequest');
    await waits('createApiKey', key('Approved'));
    expect((await byApprover('listApprovalRequests')).body.data.length).toBeGreaterThan(2);
    await byApprover('approveApprovalRequest');
    await ended();
    expect((await byOwner('claimApprovedSecret')).body.key).toMatch(/^svc_sk_/);
    await waits('registerOauthApp', bodies['registerOauthApp']);
    await byApprover('approveApprovalRequest');
    await ended();
    await expectClientSecret((await byOwner('claimApprovedSecret')).body);
    const operator = { authorization: `Bearer ${svc.platformToken ?? ''}` };
    await expectSuccess('disableApprovalPolicy', { headers: operator, body: { reason: 'The story ends.' } });
    await byOwner('updateApprovalPolicy', { name: policy.name });
    await waits(`deleteApprovalPolicy${form}`);
    await byApprover('approveApprovalRequest');
    await ended();
  };

  /** The secret authenticates the app's client: only the unknown code is then refused. */
  const expectClientSecret = async ({ app, client_secret: secret }: Json) => {
    const refusalWith = async (client_secret: string) => {
      const exchange = {
        grant_type: 'authorization_code',
        code: 'unknown',
        redirect_uri: CALLBACK,
        code_verifier: randomBytes(32).toString('base64url'),
      };
      const body = new URLSearchParams({ ...exchange, client_id: app.client_id as string, client_secret });
      return (await calls.call('issueTokens', { headers: {}, body })).body.error.code as string;
    };
    expect(await refusalWith(secret as string)).toBe('invalid_grant');
    expect(await refusalWith(`${secret as string}0`)).toBe('invalid_client');
  };

  /** The operations on grants, by their user and by the organization. */
  const usersGrants = async (cookie: string, grantId: string) => {
    const { body } = await calls.call('getSession', { headers: { cookie } });
    const headers = { cookie, 'x-csrf-token': body.csrf_token as string };
    ids['grant_id'] = grantId;
    for (const { operationId, path } of calls.document.operations.filter((one) =>
      one.path.includes('{grant_id}'),
    ))
      await expectSuccess(operationId, path.includes('/oauth/grants') ? { headers } : {});
  };

  /** A member with an account of their own: forgets the password, changes it, ends other sessions, and leaves. */
  const leaverStory = async (email: string, leaving: string) => {
    const { member_id: older = '' } = ids;
    const password = 'a long new password';
    await inviteMember(email);
    await resetPassword(email, `${password} 2`);
    const others = await Promise.all([1, 2, 3].map(() => logIn(email, `${password} 2`)));
    const [{ headers }, ...rest] = [...others] as [Login, ...Login[]];
    const { body } = await expectSuccess('listOwnSessions', { headers });
    const [first, second] = (body.data as { id: string; current: boolean }[]).filter(
      ({ current }) => !current,
    );
    await expectSuccess('endOwnSession', { headers, ids: { session_id: first?.id ?? '' } });
    await expectSuccess('endOwnSessionByForm', {
      headers: { ...headers, accept: 'text/html' },
      ids: { session_id: second?.id ?? '' },
    });
    for (const ended of rest) expect((await calls.call('getSession', ended)).status).toBe(401);
    await expectSuccess('endOtherSessions', { headers });
    const change = { current_password: `${password} 2`, new_password: `${password} 3` };
    await expectSuccess('changePassword', { headers, body: change });
    const again = await logIn(email, `${password} 3`);
    await expectSuccess(leaving, { headers: again.headers });
    ids['member_id'] = older;
  };

  interface Login {
    readonly headers: Readonly<Record<string, string>>;
  }

  const logIn = async (email: string, password: string): Promise<Login> => {
    const { headers, body } = await expectSuccess('logIn', { headers: {}, body: { email, password } });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { headers: { cookie, 'x-csrf-token': body.csrf_token as string } };
  };

  /** By a link of the operator's. */
  const resetPassword = async (email: string, password: string) => {
    const operator = { authorization: `Bearer ${svc.platformToken ?? ''}` };
    const made = await expectSuccess('createPasswordReset', { headers: operator, body: { email } });
    const secret = new URL(made.body.reset_url as string).pathname.split('/').at(-1) ?? '';
    const accept = { accept: 'text/html' };
    const page = await expectSuccess('showNewPassword', { ids: { secret }, headers: accept });
    const form = new URLSearchParams({ new_password: password, repeated_password: password });
    for (const [name, value] of hiddenFields(page.text)) form.append(name, value);
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await expectSuccess('setNewPassword', { ids: { secret }, headers: { ...accept, cookie }, body: form });
  };

  /** Invites somebody, who sees the page and becomes the newest member. */
  const inviteMember = async (email: string, role = 'viewer') => {
    const invited = await expectSuccess('createInvitation', { body: { email, role } });
    const secret = new URL(invited.body.accept_url as string).pathname.split('/').at(-1) ?? '';
    const accept = { accept: 'text/html' };
    const page = await expectSuccess('showInvitation', { ids: { secret }, headers: accept });
    const password = 'a long new password';
    const form = new URLSearchParams({ password, repeated_password: password });
    for (const [name, value] of hiddenFields(page.text)) form.append(name, value);
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await expectSuccess('acceptInvitation', { ids: { secret }, headers: { ...accept, cookie }, body: form });
    ids['member_id'] = (await expectSuccess('listMembers')).body.data[0].id as string;
  };

  it('the operator administers organizations', async () => {
    const headers = { authorization: `Bearer ${svc.platformToken ?? ''}` };
    const operations = calls.document.operations.filter(isOperators);
    // Its owner has an account, so that there is a password to reset.
    const owner = { owner_email: 'ada@example.com', owner_password: 'correct horse battery staple' };
    const made = await expectSuccess('createPlatformOrganization', {
      headers,
      body: { name: 'Acme', ...owner },
    });
    const operated = { ...ids, organization_id: made.body.id as string };
    const order = ['GET', 'POST', 'PATCH', 'DELETE'];
    for (const operation of operations.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
      const { operationId, path } = operation;
      if (['createPlatformOrganization', 'disableApprovalPolicy'].includes(operationId)) continue;
      if (isOfParked(operation)) continue;
      if (path.includes('{payment_id}')) await payFor(operation);
      await expectSuccess(operationId, {
        ids: { ...operated, payment_id: ids['payment_id'] ?? '' },
        headers,
      });
    }
  });

  it('things are deleted', async () => {
    for (const operation of ofResources('DELETE')) {
      if (isApprovals(operation) || isTraining(operation)) continue;
      const { operationId, path } = operation;
      const collection = path.replace(/\/\{\w+\}$/, '');
      const creation = calls.document.operations.find(
        (one) => one.method === 'POST' && one.path === collection,
      );
      const body = creation && (await expectSuccess(creation.operationId)).body;
      if (creation !== undefined) remember(ids, collection, body);
      if (path.endsWith('{payment_method_id}')) await enterCard(operation, body?.setup_url as string);
      if (path.endsWith('{member_id}')) await inviteMember(`${operationId.toLowerCase()}@example.com`);
      await expectSuccess(operationId);
    }
  });

  it('leaves no operation out', () => {
    const all = calls.document.operations.map(({ operationId }) => operationId);
    // This installation sends no mail: apps/e2e/src/accounts has one that does.
    const needMail = ['showPasswordReset', 'askForPasswordReset'];
    // A deletion of an approval policy is never done at once: it waits for that policy.
    const wait = ['deleteApprovalPolicy', 'deleteApprovalPolicyInOrganization'];
    // No provider can do it.
    const refused = ['pauseFineTuningJob', 'resumeFineTuningJob'];
    const parked = calls.document.operations.filter(isOfParked).map(({ operationId }) => operationId);
    const never = all.filter((operationId) => !calls.called.has(operationId));
    expect(never.toSorted()).toEqual([...needMail, ...wait, ...refused, ...parked].toSorted());
  });

  /** The lists in which ids were found: webhooks and integrations have deliveries of their own. */
  const foundIn: Ids = {};

  /** Finds ids of things that no call creates (alerts, deliveries, audit entries) in their lists. */
  const findMissingIds = async ({ path }: OpenApiOperation) => {
    for (const name of namesIn(path)) {
      const collection = path.slice(0, path.indexOf(`/{${name}}`));
      const resource = collection.replace('/organizations/{organization_id}', '');
      if (ids[name] !== undefined && (foundIn[name] ?? resource) === resource) continue;
      foundIn[name] = resource;
      const list = calls.document.operations.find((one) => one.method === 'GET' && one.path === collection);
      if (list === undefined) throw new Error(`Nothing lists ${collection}`);
      await eventually(async () => {
        const { body } = await expectSuccess(list.operationId);
        expect(body.data.length).toBeGreaterThan(0);
        const [newest] = body.data as [{ id: string; endpoint_id?: string }];
        ids[name] = newest.id;
        // Several endpoints get deliveries, in any order.
        if (newest.endpoint_id !== undefined) ids['endpoint_id'] = newest.endpoint_id;
      });
    }
  };
});

/** Stores the id of what was created in a collection, by its parameter in paths. */
function remember(ids: Ids, collection: string, body: unknown): void {
  const id = /"id":"([a-z]+_[0-9a-z]{26})"/.exec(JSON.stringify(body ?? {}))?.[1];
  const names: Ids = {
    keys: 'key_id',
    budgets: 'budget_id',
    projects: 'project_id',
    invitations: 'invitation_id',
    'provider-credentials': 'credential_id',
    'webhook-endpoints': 'endpoint_id',
    webhooks: 'endpoint_id',
    'oauth-apps': 'app_id',
    'alert-rules': 'alert_rule_id',
    integrations: 'integration_id',
    exports: 'export_id',
  };
  const name = names[collection.slice(collection.lastIndexOf('/') + 1)];
  if (id !== undefined && name !== undefined) ids[name] = id;
}
