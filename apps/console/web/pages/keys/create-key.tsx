import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useWrite } from '../../api/use-write';
import { usePreferences } from '../../browser/preferences';
import { FormDialog } from '../../frame/form-dialog';
import { useCan, useOrganization } from '../../session/organization';
import { SecretDialog } from '../../ui/dialog/secret-dialog';
import { type ApiKey } from './key';
import { KeyForm } from './key-form';
import { draftLike, emptyDraft, newKeyOf, type KeyDraft } from './new-key';
import { offeredScopes } from './offered-scopes';
import { text } from './text';

type MintedApiKey = components['schemas']['MintedApiKey'];

interface CreateKeyProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The key whose place the new one takes. */
  readonly replaces?: ApiKey;
}

/** Creates a key, and shows its secret once. */
export function CreateKey({ isOpen, onClose, replaces }: CreateKeyProps): ReactElement {
  const [minted, setMinted] = useState<MintedApiKey | null>(null);
  return (
    <>
      <FormDialog
        isOpen={isOpen && minted === null}
        onClose={onClose}
        size="large"
        title={replaces === undefined ? text.form.title : text.form.replaceTitle}
        description={replaces === undefined ? undefined : text.form.replaceNote}
      >
        <NewKey onMinted={setMinted} {...(replaces && { replaces })} />
      </FormDialog>
      <SecretDialog
        secret={minted?.key ?? null}
        title={text.secret.title}
        label={text.secret.label}
        warning={minted?.warning ?? ''}
        onSaved={() => {
          setMinted(null);
          onClose();
        }}
      />
    </>
  );
}

function NewKey({
  replaces,
  onMinted,
}: {
  readonly replaces?: ApiKey;
  readonly onMinted: (minted: MintedApiKey) => void;
}): ReactElement {
  const { zone } = usePreferences();
  const { permissions } = useOrganization();
  const offered = offeredScopes(permissions);
  const canChooseOwner = useCan('budget:write');
  const create = useWrite(
    (api, draft: KeyDraft) => api.post('/keys', { body: newKeyOf(draft, replaces?.id ?? null, zone) }),
    { changes: ['/keys'] },
  );
  const submit = async (draft: KeyDraft) => {
    const minted = await create.run(draft);
    if (minted !== null) onMinted(minted);
  };
  return (
    <KeyForm
      initial={replaces === undefined ? emptyDraft : draftLike(replaces, { offered, canChooseOwner }, zone)}
      offered={offered}
      canChooseOwner={canChooseOwner}
      isReplacing={replaces !== undefined}
      write={create}
      onSubmit={(draft) => void submit(draft)}
    />
  );
}
