import { type ReactElement, useState } from 'react';
import { Page } from '../../frame/page';
import { useCan } from '../../session/organization';
import { ArrivalStep } from './arrival-step';
import { CallStep } from './call-step';
import { KeyStep, type MintedApiKey } from './key-step';
import { text } from './text';
import { useFirstCall } from './use-first-call';

/** Three steps to the first call. The key's secret lives here, for as long as the page is open. */
export function StartPage(): ReactElement {
  const [minted, setMinted] = useState<MintedApiKey | null>(null);
  const canCreate = useCan('key:create');
  const first = useFirstCall(minted?.api_key.id ?? null);
  return (
    <Page title={first.hadCalls ? text.laterTitle : text.title} subtitle={text.purpose}>
      {canCreate && <KeyStep minted={minted} onMinted={setMinted} />}
      <CallStep secret={minted?.key ?? null} canCreate={canCreate} isDone={first.call !== null} />
      <ArrivalStep first={first} isOfKey={minted !== null} />
    </Page>
  );
}
