import { Link } from '@tanstack/react-router';
import { type ReactElement, useId } from 'react';
import { groups, type Group } from '../../frame/page-facts';
import { usePageLinks, type PageLink } from '../../frame/page-links';
import styles from './shell.module.css';

/** The pages that the role may see, in their groups. */
export function Navigation({ onFollow }: { readonly onFollow?: () => void }): ReactElement {
  const links = usePageLinks();
  return (
    <nav aria-label="Console" className={styles.navigation}>
      {(Object.keys(groups) as Group[]).map((group) => {
        const members = links.filter((link) => link.group === group);
        return members.length > 0 && <NavigationGroup key={group} {...{ group, members, onFollow }} />;
      })}
    </nav>
  );
}

function NavigationGroup(props: {
  readonly group: Group;
  readonly members: readonly PageLink[];
  readonly onFollow: (() => void) | undefined;
}): ReactElement {
  const { group, members, onFollow } = props;
  const id = useId();
  return (
    <div>
      <p id={id} className={styles.group}>
        {groups[group]}
      </p>
      <ul aria-labelledby={id}>
        {members.map(({ path, title, icon: Icon, badge: Badge }) => (
          <li key={path}>
            <Link
              to={path}
              activeOptions={{ exact: path === '/', includeSearch: false }}
              {...(onFollow && { onClick: onFollow })}
            >
              {Icon && <Icon />}
              {title}
              {Badge && <Badge />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
