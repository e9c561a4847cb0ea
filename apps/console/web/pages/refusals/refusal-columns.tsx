import { useNavigate } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { searchLinks } from '../../browser/search-links';
import { Named } from '../../calls/named';
import { narrowingLinks, type NarrowingLink } from '../../calls/narrowing-links';
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

type Narrow = NarrowingLink<RefusalsAddress>;

const { columns } = text;

/** @param canReadKeys whether the role may open the page of a key. */
export function useRefusalColumns(names: RefusalNames, canReadKeys: boolean): readonly Column<Refusal>[] {
  const narrow: Narrow = narrowingLinks(searchLinks(useNavigate(), refusalsRoute.useSearch()));
  return [
    { key: 'code', header: columns.code, cell: (row) => <Reason of={row} narrow={narrow} /> },
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
      cell: ({ model }) => (model == null ? text.none : narrow({ model }, <Name>{model}</Name>)),
    },
    {
      key: 'key',
      header: columns.key,
      cell: (row) => <KeyAndProject of={row} names={names} canReadKeys={canReadKeys} narrow={narrow} />,
    },
  ];
}

interface KeyAndProjectProps {
  readonly of: Refusal;
  readonly names: RefusalNames;
  readonly canReadKeys: boolean;
  readonly narrow: Narrow;
}

function KeyAndProject({ of, names, canReadKeys, narrow }: KeyAndProjectProps): ReactElement {
  const { api_key_id: keyId = '', project_id: projectId } = of;
  return (
    <>
      <Named
        id={keyId}
        names={names.keys}
        wrap={(shown) => narrow({ key: refusalList.address.key([keyId]) }, shown)}
      />
      <span className={styles.below}>
        {projectId == null ? (
          text.noProject
        ) : (
          <Named
            id={projectId}
            names={names.projects}
            wrap={(shown) => narrow({ project: refusalList.address.project([projectId]) }, shown)}
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

interface ReasonProps {
  readonly of: Refusal;
  readonly narrow: Narrow;
}

/** The code, which the documentation names, and what it says in words. */
function Reason({ of: { code = '', http_status: status }, narrow }: ReasonProps): ReactElement {
  return (
    <>
      {narrow({ code }, <code translate="no">{visibleText(code)}</code>)} {status}
      <span className={styles.below}>{visibleText(refusalWords(code))}</span>
    </>
  );
}
