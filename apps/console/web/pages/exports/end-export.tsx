import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Button } from '../../ui/button/button';
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
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`${words.open} ${kindWords[one.kind]}`}
        onClick={() => setOpen(true)}
      >
        {words.open}
      </Button>
      <ConfirmWrite write={end} isOpen={isOpen} onClose={() => setOpen(false)} words={words} />
    </>
  );
}
