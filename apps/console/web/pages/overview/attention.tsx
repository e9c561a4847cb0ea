import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { WarningNote } from '../../ui/states/notes';
import { text } from './text';

const LISTED = 100;

/** Webhook endpoints that lose events. */
export function Attention(): ReactElement | null {
  const enabled = useCan('webhook:write');
  const failing = useEndpoints('failing', enabled);
  const disabled = useEndpoints('disabled', enabled);
  return (
    <>
      {disabled > 0 && <WarningNote>{text.webhooks.disabled(disabled)}</WarningNote>}
      {failing > 0 && <WarningNote>{text.webhooks.failing(failing)}</WarningNote>}
    </>
  );
}

function useEndpoints(state: 'failing' | 'disabled', enabled: boolean): number {
  const { data } = useRead('/webhooks', { params: { query: { state, limit: LISTED } } }, { enabled });
  return data?.data.length ?? 0;
}
