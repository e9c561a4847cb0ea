import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import badge from '../../ui/badge/badge.module.css';

const EVERY_MS = 5 * 60_000;
const SHOWN_MAX = 50;

/** How many changes wait for the reader's decision, beside the name of the page. */
export function WaitingBadge(): ReactElement | null {
  const canDecide = useCan('approval:decide');
  const canRead = useCan('approval:read');
  const query = { awaiting: 'me', state: 'pending', limit: SHOWN_MAX } as const;
  const { data } = useRead(
    '/approval-requests',
    { params: { query } },
    { enabled: canDecide && canRead, everyMs: EVERY_MS },
  );
  if (data === undefined || data.data.length === 0) return null;
  return (
    <span className={badge.count}>
      {data.data.length}
      {data.has_more && '+'}
      <span className="visually-hidden"> waiting for you</span>
    </span>
  );
}
