import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { ModelUsage } from '../../calls/model-usage';
import { Page } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { CreateKey } from './create-key';
import { EditKey } from './edit-key';
import { type ApiKey } from './key';
import { KeyAudit } from './key-audit';
import { StandingBadge } from './key-columns';
import { KeyFacts } from './key-facts';
import { KeyLimits } from './key-limits';
import { KeyPolicy } from './key-policy';
import { KeyRefusals } from './key-refusals';
import { RevokeKey } from './revoke-key';
import { keyRoute, keysRoute } from './route';
import { text } from './text';

const parent = <Link to={keysRoute.to}>{text.key.parent}</Link>;

export function KeyPage(): ReactElement {
  const { keyId } = keyRoute.useParams();
  const key = useRead('/keys/{key_id}', { params: { path: { key_id: keyId } } });
  return (
    <ReadPage of={key} words={text.key} parent={parent}>
      {(data) => <OneKey apiKey={data} />}
    </ReadPage>
  );
}

function OneKey({ apiKey }: { readonly apiKey: ApiKey }): ReactElement {
  const canReadUsage = useCan('usage:read');
  const canReadBudgets = useCan('budget:read');
  const canReadAudit = useCan('audit:read');
  const canReadWallet = useCan('wallet:read');
  const canReadPolicy = useCan('policy:read');
  return (
    <Page
      title={apiKey.name}
      parent={parent}
      subtitle={<StandingBadge of={apiKey} />}
      actions={<Actions apiKey={apiKey} />}
    >
      <KeyFacts apiKey={apiKey} />
      <KeyLimits apiKey={apiKey} withBudgets={canReadBudgets} withWallet={canReadWallet} />
      {canReadPolicy && <KeyPolicy apiKey={apiKey} />}
      {canReadUsage && <ModelUsage of={{ api_key_id: apiKey.id }} empty={text.key.usageEmpty} />}
      {canReadUsage && <KeyRefusals keyId={apiKey.id} />}
      {canReadAudit && <KeyAudit apiKey={apiKey} />}
    </Page>
  );
}

function Actions({ apiKey }: { readonly apiKey: ApiKey }): ReactElement | null {
  const [open, setOpen] = useState<'edit' | 'replace' | 'revoke' | null>(null);
  const canCreate = useCan('key:create');
  const canRevoke = useCan('key:revoke');
  const close = () => setOpen(null);
  const disabledReason = apiKey.state === 'revoked' ? text.key.revokedReason : null;
  return (
    <>
      {canCreate && (
        <>
          <Button disabledReason={disabledReason} onClick={() => setOpen('edit')}>
            {text.key.edit}
          </Button>
          <Button onClick={() => setOpen('replace')}>{text.key.replace}</Button>
          <EditKey apiKey={apiKey} isOpen={open === 'edit'} onClose={close} />
          <CreateKey replaces={apiKey} isOpen={open === 'replace'} onClose={close} />
        </>
      )}
      {canRevoke && (
        <>
          <Button variant="danger" disabledReason={disabledReason} onClick={() => setOpen('revoke')}>
            {text.key.revoke}
          </Button>
          <RevokeKey apiKey={apiKey} isOpen={open === 'revoke'} onClose={close} />
        </>
      )}
    </>
  );
}
