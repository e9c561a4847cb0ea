import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { Time } from '../../ui/text/time';
import { type ApiKey } from './key';
import { text } from './text';

export interface RevokeKeyProps {
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
  const confirm = async () => {
    if ((await revoke.run(undefined)) !== null) onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.title}
      action={words.action}
      typedName={name}
      isBusy={revoke.isBusy}
      error={revoke.error}
      onConfirm={() => void confirm()}
    >
      <p>{words.effect}</p>
      <p>
        {lastUsedAt === null ? (
          words.never
        ) : (
          <>
            {words.used} <Time at={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
