import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Time } from '../../ui/text/time';
import { type ApiKey } from './key';
import { text } from './text';

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Ends a key for good. It asks for the name, and tells when the key was used last. */
export function RevokeKey({ apiKey, isOpen, onClose }: RevokeKeyProps): ReactElement {
  const { id, name, last_used_at: lastUsedAt } = apiKey;
  const words = text.revoke;
  const revoke = useWrite((api) => api.delete('/keys/{key_id}', { params: { path: { key_id: id } } }), {
    changes: ['/keys', '/audit-log'],
    says: words.done,
  });
  return (
    <ConfirmWrite write={revoke} isOpen={isOpen} onClose={onClose} words={words} typedName={name}>
      <p>
        {lastUsedAt === null ? (
          words.never
        ) : (
          <>
            {words.used} <Time at={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmWrite>
  );
}
