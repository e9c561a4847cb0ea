import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { IconButton } from '../../ui/button/button';
import { MoreIcon } from '../../ui/icons/later-icons';
import { Menu, MenuItem } from '../../ui/menu/menu';
import { Name } from '../../ui/text/id';
import { LastTime } from '../../ui/text/last-time';
import { isFinal, type Credential } from './credential';
import { EditCredential } from './edit-credential';
import { RotateCredential } from './rotate-credential';
import { text } from './text';

type Act = keyof typeof text.acts;

/** Actions on a credential in its state. */
export function CredentialActions({ credential }: { readonly credential: Credential }): ReactElement {
  const [open, setOpen] = useState<Act | 'edit' | 'rotate' | null>(null);
  const close = () => setOpen(null);
  const trigger = (
    <IconButton
      label={text.actionsOf(visibleText(credential.label))}
      icon={<MoreIcon />}
      disabledReason={isFinal(credential) ? text.finalReason : null}
    />
  );
  if (isFinal(credential)) return trigger;
  const toggle = credential.state === 'active' ? 'disable' : 'enable';
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem onSelect={() => setOpen('edit')}>{text.edit.item}</MenuItem>
        <MenuItem onSelect={() => setOpen('rotate')}>{text.rotate.title}</MenuItem>
        <MenuItem onSelect={() => setOpen(toggle)}>{text.acts[toggle].item}</MenuItem>
        <MenuItem isDanger onSelect={() => setOpen('revoke')}>
          {text.acts.revoke.item}
        </MenuItem>
        <MenuItem isDanger onSelect={() => setOpen('compromised')}>
          {text.acts.compromised.item}
        </MenuItem>
      </Menu>
      <EditCredential credential={credential} isOpen={open === 'edit'} onClose={close} />
      <RotateCredential credential={credential} isOpen={open === 'rotate'} onClose={close} />
      {open !== null && open !== 'edit' && open !== 'rotate' && (
        <ConfirmAct key={open} act={open} credential={credential} onClose={close} />
      )}
    </>
  );
}

interface ConfirmActProps {
  readonly act: Act;
  readonly credential: Credential;
  readonly onClose: () => void;
}

/** Asks before the state changes; what is final wants the label typed. */
function ConfirmAct({ act, credential, onClose }: ConfirmActProps): ReactElement {
  const words = text.acts[act];
  const params = { path: { credential_id: credential.id } };
  const write = useWrite((api) => api.post(`/provider-credentials/{credential_id}/${act}`, { params }), {
    changes: ['/provider-credentials', '/catalog', '/audit-log'],
    says: words.done,
  });
  const isForGood = act === 'revoke' || act === 'compromised';
  return (
    <ConfirmWrite
      approval={`provider_credential.${act}`}
      write={write}
      isOpen
      onClose={onClose}
      words={{ title: words.title, action: words.title }}
      isDanger={act !== 'enable'}
      typedName={isForGood ? credential.label : undefined}
    >
      <p>
        <Name>{credential.label}</Name> · {credential.provider}
      </p>
      <p>{words.effect}</p>
      <LastRefusal id={credential.id} />
    </ConfirmWrite>
  );
}

function LastRefusal({ id }: { readonly id: string }): ReactElement {
  const { data, isFetching, isError } = useRead(
    '/provider-credentials/{credential_id}',
    { params: { path: { credential_id: id } } },
    { isReadAnew: true },
  );
  return (
    <LastTime
      at={isError ? undefined : data?.last_auth_failed_at}
      isReading={isFetching}
      words={text.lastRefusal}
    />
  );
}
