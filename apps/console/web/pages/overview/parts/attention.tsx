import { type ReactElement } from 'react';
import { Section } from '../../../frame/page';
import { WarningIcon } from '../../../ui/icons/icons';
import { PageLink } from '../../../ui/page-link';
import styles from '../overview.module.css';
import { text } from './text';
import { useAttention, type AttentionItem } from './use-attention';

/** Things that somebody should look at now, in one list; absent where there is nothing. */
export function Attention(): ReactElement | null {
  const items = useAttention();
  if (items.length === 0) return null;
  return (
    <Section title={text.attention.title}>
      <ul className={styles.attention}>
        {items.map(({ key, says, action, ...page }) => (
          <li key={key}>
            <WarningIcon />
            <span>
              <PageLink {...page}>{says}</PageLink> {action && <Action {...action} />}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Action = ({ says, ...page }: NonNullable<AttentionItem['action']>): ReactElement => (
  <PageLink {...page}>{says}</PageLink>
);
