import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { WarningNote } from '../../ui/states/notes';
import { text } from './text';

const LISTED = 100;
const ALERTS_EVERY_MS = 60_000;

/** Alerts that fire, and webhook endpoints that lose events. */
export function Attention(): ReactElement | null {
  const enabled = useCan('webhook:write');
  const failing = useEndpoints('failing', enabled);
  const disabled = useEndpoints('disabled', enabled);
  return (
    <>
      <FiringAlerts />
      {disabled > 0 && <WarningNote>{text.webhooks.disabled(disabled)}</WarningNote>}
      {failing > 0 && <WarningNote>{text.webhooks.failing(failing)}</WarningNote>}
    </>
  );
}

function FiringAlerts(): ReactElement | null {
  const query = { state: 'firing' as const, limit: LISTED };
  const options = { enabled: useCan('alert:read'), everyMs: ALERTS_EVERY_MS };
  const { data } = useRead('/alerts', { params: { query } }, options);
  if (data === undefined || data.data.length === 0) return null;
  return (
    <WarningNote>
      {text.alerts.firing(data.data.length, data.has_more)}{' '}
      <PageLink to="/alerts" search={{ state: 'firing' }}>
        {text.alerts.link}
      </PageLink>
    </WarningNote>
  );
}

function useEndpoints(state: 'failing' | 'disabled', enabled: boolean): number {
  const { data } = useRead('/webhooks', { params: { query: { state, limit: LISTED } } }, { enabled });
  return data?.data.length ?? 0;
}
