import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { InferenceCalls } from '../testing/inference-calls';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

/** Femto-dollars. With the tokens of the calls of this spec they make 177.7 nano-dollars. */
const RATES = { input: '1500000', cachedInput: '150000', cacheWrite: '700000', output: '8000000' };

describe('requests that have ended', () => {
  let management: ManagementUnderTest;
  let calls: InferenceCalls;

  beforeAll(async () => {
    management = await startManagement();
    calls = new InferenceCalls(management.database);
  });
  afterAll(() => management.close());

  const newOrganization = async (): Promise<Organization> => {
    const organization = await management.newOrganization();
    await new WalletStore(management.database).credit(organization.id, nanos(1_000_000), 'for specs');
    return organization;
  };

  it('link the wallet transaction that charged them', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization, ['usage:read', 'wallet:read']);
    const { body } = await key.get(`/api/v1/requests/${await calls.make(organization, { charge: 178 })}`);
    const transaction = await key.get(`/api/v1/wallet/transactions/${body.cost.transaction_id}`);
    expect(transaction.body).toMatchObject({ request_id: body.id, kind: 'charge', amount_nanos: -178 });
    const free = await calls.make(organization, { charge: 0 });
    expect((await key.get(`/api/v1/requests/${free}`)).body.cost.transaction_id).toBeNull();
  });

  it('say what their lines come to beyond the hold', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const id = await calls.make(organization, { held: 100, charge: 178, explanation: { rates: RATES } });
    const { cost } = (await key.get(`/api/v1/requests/${id}`)).body;
    expect(cost).toMatchObject({
      customer_nanos: 100,
      held_nanos: 100,
      beyond_hold_nanos: 78,
      rounding: '0.3',
    });
  });

  it('show the error as their callers got it', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const error = { type: 'invalid_request', message: 'Too long.', param: 'input', retriable: false };
    const failed = { status: 'failed', httpStatus: 400, errorCode: 'provider_http_400', charge: 0 } as const;
    const id = await calls.make(organization, { ...failed, explanation: { error } });
    const { body } = await key.get(`/api/v1/requests/${id}`);
    expect(body.error).toEqual({ ...error, code: 'provider_http_400', request_id: id });
    expect(body.cost).toMatchObject({ lines: [], rounding: '0', beyond_hold_nanos: 0, transaction_id: null });
  });

  it('of earlier versions show a null for what they do not have', async () => {
    const organization = await newOrganization();
    const key = await management.withKey(organization);
    const { body } = await key.get(`/api/v1/requests/${await calls.make(organization)}`);
    expect(body).toMatchObject({
      attempts: [
        {
          upstream_request_id: null,
          started_ms: null,
          first_byte_ms: null,
          endpoint_id: null,
          credential: null,
          credential_id: null,
          placed_by: null,
        },
      ],
      policy_version: null,
      session_id: null,
      warnings: null,
      error: null,
      cost: { customer_nanos: 100, lines: null, rounding: null, beyond_hold_nanos: null, held_nanos: 1_000 },
    });
  });
});
