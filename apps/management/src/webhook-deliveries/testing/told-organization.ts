import {
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../../testing/management-under-test';
import { type AttemptsOfSpec } from './attempts-of-spec';

export const ENDPOINTS = '/api/v1/webhook-endpoints';
export const DELIVERIES = `${ENDPOINTS}/deliveries`;

/** An organization with an endpoint. */
export interface ToldOrganization {
  readonly organization: Organization;
  readonly key: Client;
  readonly endpointId: string;
}

export async function newToldOrganization(management: ManagementUnderTest): Promise<ToldOrganization> {
  const organization = await management.newOrganization();
  const key = await management.withKey(organization);
  return { organization, key, endpointId: await newEndpoint(key) };
}

export async function newEndpoint(key: Client): Promise<string> {
  const { body } = await key.post(ENDPOINTS, { url: 'https://hooks.example.com/svc' });
  return (body as { endpoint: { id: string } }).endpoint.id;
}

/** Queues an event for the endpoint. @returns the delivery's id. */
export async function deliver(
  attempts: AttemptsOfSpec,
  { organization, key, endpointId }: ToldOrganization,
): Promise<string> {
  await attempts.deliver(organization.id, endpointId);
  const { body } = await key.get(`${ENDPOINTS}/${endpointId}/deliveries?limit=1`);
  return (body as { data: { id: string }[] }).data[0]?.id ?? '';
}
