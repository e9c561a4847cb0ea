import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { downloadFrom } from '../../ui/download';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ErrorNote } from '../../ui/states/error-note';
import { Filled } from '../../ui/text/filled';
import { SecretField } from '../../ui/text/secret-field';
import { Time } from '../../ui/text/time';
import { type Export } from './export';
import { kindWords, text } from './text';

const words = text.download;

const useLink = ({ id }: Export, says?: string) =>
  useWrite((api) => api.post('/exports/{export_id}/download', { params: { path: { export_id: id } } }), {
    changes: ['/audit-log'],
    ...(says !== undefined && { says }),
  });

/** Saves the file: the link that is asked for goes to the browser alone. */
export function DownloadButton({ of }: { readonly of: Export }): ReactElement {
  const ask = useLink(of, words.started);
  const run = async () => {
    const link = await ask.run(undefined);
    if (link !== null) downloadFrom(link.url);
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`${words.action} ${kindWords[of.kind]}`}
        isBusy={ask.isBusy}
        onClick={() => void run()}
      >
        {words.action}
      </Button>
      <ErrorNote error={ask.error} />
    </>
  );
}

/** Asks for a link to download with another program, and shows it in one dialog: it is gone when that is closed. */
export function LinkButton({ of }: { readonly of: Export }): ReactElement {
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const ask = useLink(of);
  const run = async () => setLink(await ask.run(undefined));
  return (
    <>
      <Button
        variant="quiet"
        aria-label={words.linkOf(kindWords[of.kind])}
        isBusy={ask.isBusy}
        onClick={() => void run()}
      >
        {words.getLink}
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
        actions={<Button onClick={() => setLink(null)}>{words.close}</Button>}
      >
        <SecretField label={words.field} secret={link?.url ?? ''} />
      </Dialog>
    </>
  );
}
