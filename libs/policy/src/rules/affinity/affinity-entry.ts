/** Where a conversation was answered last: its prompt cache is there. */
export interface AffinityEntry {
  readonly endpointId: string;
  /** The key of the credential; empty where the provider takes none. */
  readonly credential: string;
}

/** An entry is forgotten so long after its last success: providers keep a prompt cache for about as long. */
export const AFFINITY_TTL_MS = 10 * 60_000;

interface AnsweredPlace {
  readonly endpoint: { readonly id: string };
  readonly pooled?: { readonly key: string };
}

export const affinityEntryOf = ({ endpoint, pooled }: AnsweredPlace): AffinityEntry => ({
  endpointId: endpoint.id,
  credential: pooled?.key ?? '',
});

/** Neither an endpoint nor a credential has it in its name. */
const SEPARATOR = '\n';

export const affinityEntryText = ({ endpointId, credential }: AffinityEntry): string =>
  `${endpointId}${SEPARATOR}${credential}`;

/** Null for nothing, and for a text that is no entry. */
export function readAffinityEntry(text: string | undefined): AffinityEntry | null {
  const [endpointId, credential, ...more] = (text ?? '').split(SEPARATOR);
  return endpointId === undefined || credential === undefined || more.length > 0
    ? null
    : { endpointId, credential };
}
