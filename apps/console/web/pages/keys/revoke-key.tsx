import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { useCan } from '../../session/organization';
import { LastTime } from '../../ui/text/last-time';
import { type ApiKey } from './key';
import { text } from './text';

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Ends a key for good. It asks for the name, and tells when the key was used last. */
export function RevokeKey({ apiKey, isOpen, onClose }: RevokeKeyProps): ReactElement {
  const { id, name } = apiKey;
  const words = text.revoke;
  const revoke = useWrite((api) => api.delete('/keys/{key_id}', { params: { path: { key_id: id } } }), {
    changes: ['/keys', '/audit-log'],
    says: words.done,
  });
  return (
    <ConfirmWrite write={revoke} isOpen={isOpen} onClose={onClose} words={words} typedName={name}>
      <LastUse id={id} />
    </ConfirmWrite>
  );
}

/** A key tells its last use up to a minute late; its newest call tells it at once. */
function LastUse({ id }: { readonly id: string }): ReactElement {
  const canReadCalls = useCan('usage:read');
  const key = useRead('/keys/{key_id}', { params: { path: { key_id: id } } }, { isReadAnew: true });
  const calls = useRead(
    '/requests',
    { params: { query: { api_key_id: id, limit: 1 } } },
    { enabled: canReadCalls, isReadAnew: true },
  );
  const called = calls.data?.data[0]?.created_at ?? null;
  const used = key.isError || calls.isError ? undefined : latestOf(key.data?.last_used_at ?? null, called);
  return <LastTime at={used} isReading={key.isFetching || calls.isFetching} words={text.revoke.lastUse} />;
}

const latestOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;
