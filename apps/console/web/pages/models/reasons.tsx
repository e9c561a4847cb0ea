import { type ReactElement } from 'react';
import { type CatalogModel } from '../../api/use-catalog';
import { PageLink } from '../../ui/page-link';
import { visibleText } from '../../format/visible-text';
import { WarningNote } from '../../ui/states/notes';
import styles from './models.module.css';
import { text } from './text';

type Reason = NonNullable<CatalogModel['reasons']>[number];

/** Why calls cannot use it, a sentence each, with the page that changes it. */
export function Reasons({ of }: { readonly of: readonly Reason[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <WarningNote>
      <ReasonList of={of} />
    </WarningNote>
  );
}

/** The same without the note around them. */
export function ReasonList({ of }: { readonly of: readonly Reason[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {of.map((reason) => (
        <li key={`${reason.constraint} ${reason.message}`}>
          {visibleText(reason.message)} {reason.field !== null && <code>{visibleText(reason.field)}</code>}{' '}
          <Change of={reason} />
        </li>
      ))}
    </ul>
  );
}

function Change({ of: { constraint, field } }: { readonly of: Reason }): ReactElement | null {
  if (constraint === 'credential')
    return <PageLink to="/provider-credentials">{text.model.addCredential}</PageLink>;
  return field === null ? null : <PageLink to="/routing">{text.model.routing}</PageLink>;
}
