import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-api';
import { Button } from '../../ui/button/button';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { isUnderWay, type Export } from './export';
import { kindWords, text } from './text';

/** Cancels what is under way, and deletes what has ended. */
export function EndButton({ of: one }: { readonly of: Export }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const isMoving = isUnderWay(one);
  const words = isMoving ? text.cancel : text.remove;
  const params = { path: { export_id: one.id } };
  const end = useWrite(
    async (api) => {
      if (isMoving) await api.post('/exports/{export_id}/cancel', { params });
      else await api.delete('/exports/{export_id}', { params });
      return true;
    },
    { changes: ['/exports', '/audit-log'], says: words.done },
  );
  const confirm = async () => {
    if ((await end.run(undefined)) !== null) setOpen(false);
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`${words.action} ${kindWords[one.kind]}`}
        onClick={() => setOpen(true)}
      >
        {words.action}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={words.title}
        action={words.confirm}
        isBusy={end.isBusy}
        error={end.error}
        onConfirm={() => void confirm()}
      >
        <p>{words.effect}</p>
      </ConfirmDialog>
    </>
  );
}
