import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { Named } from '../../calls/named';
import narrow from '../../calls/narrow.module.css';
import { refusalWords } from '../../calls/outcome-words';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { PageLink } from '../../ui/page-link';
import { type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { refusalList, type RefusalsAddress } from './list';
import { type Refusal } from './refusal';
import styles from './refusals.module.css';
import { refusalsRoute } from './route';
import { text } from './text';
import { type RefusalNames } from './use-refusal-names';

/** A value that narrows the list to the calls that have it, too. */
function Narrow(props: { readonly to: RefusalsAddress; readonly children: ReactNode }): ReactElement {
  const { to, children } = props;
  return (
    <Link
      from={refusalsRoute.fullPath}
      to={refusalsRoute.to}
      search={(before) => ({ ...before, ...to })}
      className={narrow.narrow}
    >
      {children}
    </Link>
  );
}

const narrowing = (to: RefusalsAddress) => (shown: ReactNode) => <Narrow to={to}>{shown}</Narrow>;

const { columns } = text;

/** @param canReadKeys whether the role may open the page of a key. */
export const refusalColumns = (names: RefusalNames, canReadKeys: boolean): readonly Column<Refusal>[] => [
  { key: 'code', header: columns.code, cell: (row) => <Reason of={row} /> },
  { key: 'count', header: columns.count, align: 'end', cell: ({ count }) => formatCount(count) },
  { key: 'last', header: columns.last, cell: ({ last_at: at }) => <Time at={at} /> },
  {
    key: 'message',
    header: columns.message,
    wraps: true,
    cell: ({ last_message: message }) => visibleText(message),
  },
  {
    key: 'model',
    header: columns.model,
    hint: text.modelHint,
    cell: ({ model }) =>
      model == null ? (
        text.none
      ) : (
        <Narrow to={{ model }}>
          <Name>{model}</Name>
        </Narrow>
      ),
  },
  {
    key: 'key',
    header: columns.key,
    cell: (row) => <KeyAndProject of={row} names={names} canReadKeys={canReadKeys} />,
  },
];

interface KeyAndProjectProps {
  readonly of: Refusal;
  readonly names: RefusalNames;
  readonly canReadKeys: boolean;
}

function KeyAndProject({ of, names, canReadKeys }: KeyAndProjectProps): ReactElement {
  const { api_key_id: keyId = '', project_id: projectId } = of;
  return (
    <>
      <Named id={keyId} names={names.keys} wrap={narrowing({ key: refusalList.address.key([keyId]) })} />
      <span className={styles.below}>
        {projectId == null ? (
          text.noProject
        ) : (
          <Named
            id={projectId}
            names={names.projects}
            wrap={narrowing({ project: refusalList.address.project([projectId]) })}
          />
        )}
      </span>
      {canReadKeys && (
        <span className={styles.below}>
          <PageLink to="/keys/$keyId" params={{ keyId }}>
            {text.openKey}
          </PageLink>
        </span>
      )}
    </>
  );
}

/** The code, which the documentation names, and what it says in words. */
function Reason({ of: { code = '', http_status: status } }: { readonly of: Refusal }): ReactElement {
  return (
    <>
      <Narrow to={{ code }}>
        <code translate="no">{visibleText(code)}</code>
      </Narrow>{' '}
      {status}
      <span className={styles.below}>{visibleText(refusalWords(code))}</span>
    </>
  );
}
