import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-api';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ErrorNote } from '../../ui/states/error-note';
import { Filled } from '../../ui/text/filled';
import { SecretField } from '../../ui/text/secret-field';
import { Time } from '../../ui/text/time';
import { type Export } from './export';
import { kindWords, text } from './text';

const words = text.download;

/** Asks for a link, and shows it in one dialog: it is gone when that is closed. */
export function DownloadButton({ of: { id, kind } }: { readonly of: Export }): ReactElement {
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const params = { path: { export_id: id } };
  const ask = useWrite((api) => api.post('/exports/{export_id}/download', { params }), {
    changes: ['/audit-log'],
  });
  const run = async () => setLink(await ask.run(undefined));
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`${words.action} ${kindWords[kind]}`}
        isBusy={ask.isBusy}
        onClick={() => void run()}
      >
        {words.action}
      </Button>
      <ErrorNote error={ask.error} />
      <Dialog
        isOpen={link !== null}
        onClose={() => setLink(null)}
        title={words.title}
        description={
          link !== null && (
            <>
              <p>
                <Filled sentence={words.note} places={{ time: <Time at={link.expires_at} as="instant" /> }} />
              </p>
              <p>{words.logged}</p>
            </>
          )
        }
        actions={
          <>
            <Button onClick={() => setLink(null)}>{words.close}</Button>
            {link !== null && (
              <a href={link.url} download rel="noreferrer">
                {words.link}
              </a>
            )}
          </>
        }
      >
        <SecretField label={words.field} secret={link?.url ?? ''} />
      </Dialog>
    </>
  );
}
