import { type ReactElement, useState } from 'react';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { PlusIcon } from '../../ui/icons/later-icons';
import { ErrorNote } from '../../ui/states/error-note';
import { autoTopUpText } from './auto-top-up-text';
import { ProviderLink } from './checkout-link';
import { useAddCard } from './use-add-card';
import { checkoutOf } from './wallet';

const words = autoTopUpText.add;

interface AddCardProps {
  /** The card was entered on the page of the provider meanwhile, or was not. */
  readonly onClosed: () => void;
}

/** Leads to the page of the payment provider on which a card is entered. */
export function AddCard({ onClosed }: AddCardProps): ReactElement {
  const [url, setUrl] = useState<string | null>(null);
  const add = useAddCard();
  const begin = async () => {
    const begun = await add.run(undefined);
    if (begun !== null) setUrl(begun.setup_url);
  };
  const close = () => {
    setUrl(null);
    onClosed();
  };
  return (
    <div>
      <Button icon={<PlusIcon />} isBusy={add.isBusy} onClick={() => void begin()}>
        {words.open}
      </Button>
      <ErrorNote error={add.error} />
      <Dialog
        isOpen={url !== null}
        onClose={close}
        title={words.title}
        description={<p>{words.note}</p>}
        actions={<Button onClick={close}>{words.close}</Button>}
      >
        {url !== null && <SetupLink url={url} />}
      </Dialog>
    </div>
  );
}

/** An installation that is itself reached without TLS is one for tests: its provider's page may be, too. */
function SetupLink({ url }: { readonly url: string }): ReactElement {
  const page = checkoutOf(url, location.protocol === 'https:');
  return page === null ? <p>{words.noLink}</p> : <ProviderLink to={page} words={words.go} />;
}
