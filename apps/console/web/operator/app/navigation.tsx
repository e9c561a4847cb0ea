import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import styles from '../../app/shell/shell.module.css';
import { IncidentsIcon, MembersIcon, OverviewIcon, WalletIcon, WebhooksIcon } from '../../ui/icons/icons';

const entries = [
  { to: '/', title: 'Organizations', icon: MembersIcon },
  { to: '/payments', title: 'Payments', icon: WalletIcon },
  { to: '/incidents', title: 'Incidents', icon: IncidentsIcon },
  { to: '/parked-messages', title: 'Parked messages', icon: WebhooksIcon },
  { to: '/health', title: 'Health', icon: OverviewIcon },
] as const;

export function Navigation({ onFollow }: { readonly onFollow?: () => void }): ReactElement {
  return (
    <nav aria-label="Operator" className={styles.navigation}>
      <ul>
        {entries.map(({ to, title, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              {...(onFollow && { onClick: onFollow })}
            >
              <Icon />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
