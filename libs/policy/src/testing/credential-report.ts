import { type Database } from '@svc/database';
import { type CredentialReport } from '../store/credential-report-store';

/** The report of an edge that a credential takes calls, but for these changes. */
export const credentialReport = (changes: Partial<CredentialReport> = {}): CredentialReport => ({
  credential: 'cred_1',
  provider: 'acme',
  healthEpoch: 0,
  endpointId: null,
  rest: null,
  restsForMs: null,
  trialInMs: null,
  headroomBps: null,
  headroomForMs: null,
  isNews: false,
  ...changes,
});

/** The report of an edge that the provider refuses a credential, for 5 minutes at least. */
export const refusedReport = (changes: Partial<CredentialReport> = {}): CredentialReport =>
  credentialReport({ rest: 'refused', trialInMs: 300_000, ...changes });

/** Adds an edge whose lease outlives every spec: reports of edges without a lease are not shown. */
export async function addEdge({ prisma }: Database, id: string): Promise<void> {
  await prisma.edgeInstance.create({ data: { id, leaseUntil: new Date(Date.UTC(2100, 0, 1)) } });
}
