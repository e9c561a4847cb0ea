import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { WarningNote } from '../../ui/states/notes';
import { PageLink } from '../../ui/page-link';
import styles from './shell.module.css';

const EVERY_MS = 2 * 60_000;
const SHOWN = 3;
const words = { open: 'Incident:', link: 'View incident' };

/** A banner on all pages while something of the platform is wrong that affects the organization. */
export function OpenIncidents(): ReactElement | null {
  const query = { state: 'open', limit: SHOWN } as const;
  const { data } = useRead(
    '/incidents',
    { params: { query } },
    { enabled: useCan('org:read'), everyMs: EVERY_MS },
  );
  if (data === undefined || data.data.length === 0) return null;
  return (
    <div className={styles.banner}>
      {data.data.map(({ id, title, state }) => (
        <WarningNote key={id}>
          {words.open} <bdi>{visibleText(title)}</bdi> ({state}).{' '}
          <PageLink to="/incidents/$incidentId" params={{ incidentId: id }}>
            {words.link}
          </PageLink>
        </WarningNote>
      ))}
    </div>
  );
}
