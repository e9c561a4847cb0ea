import { type ReactElement } from 'react';
import { useRead } from '../../../api/use-api';
import { useNames } from '../../../api/use-names';
import { Named } from '../../../calls/named';
import { type ModelRequest } from '../../../calls/request';
import { attemptResult, errorWords } from '../../../calls/text';
import { visibleText } from '../../../format/visible-text';
import { Section } from '../../../frame/page';
import { PageLink } from '../../../ui/page-link';
import { Result } from '../../../ui/states/result';
import { DataTable, type Column } from '../../../ui/table/data-table';
import { Name } from '../../../ui/text/id';
import { Time } from '../../../ui/text/time';
import { failedRequestsSearch } from '../requests-search';
import { filterOf, type UsageView } from '../usage-reads';
import { useCallsOverTime } from '../use-usage';
import { text } from './text';

const SHOWN = 5;
const words = text.failures;

/** The newest calls that the error rate counts, each with its reason and a link to its record. */
export function LastFailures({ view }: { readonly view: UsageView }): ReactElement {
  const all = (
    <PageLink to="/requests" search={failedRequestsSearch(view)}>
      {words.all}
    </PageLink>
  );
  return (
    <Section title={words.title} actions={all}>
      <Result of={useCallsOverTime(view)} lines={SHOWN}>
        {({ total }) => (total.failed === 0 ? <p className="muted">{words.none}</p> : <Newest view={view} />)}
      </Result>
    </Section>
  );
}

/** The log is asked only where a call failed, and for a few rows. */
function Newest({ view }: { readonly view: UsageView }): ReactElement {
  const { start, end } = view.range.current;
  const query = {
    ...filterOf(view),
    failed: 'true' as const,
    created_after: start,
    created_before: end,
    limit: SHOWN,
  };
  const failures = useRead('/requests', { params: { query } }, { keepsPrevious: true });
  const columns = useColumns(failures.data?.data ?? []);
  return (
    <Result of={failures} lines={SHOWN}>
      {({ data, has_more: hasMore }) =>
        data.length === 0 ? (
          <p className="muted">{hasMore ? words.older : words.gone}</p>
        ) : (
          <DataTable
            caption={words.title}
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            isStale={failures.isPlaceholderData}
          />
        )
      }
    </Result>
  );
}

function useColumns(calls: readonly ModelRequest[]): readonly Column<ModelRequest>[] {
  const keys = useNames(
    '/keys',
    calls.map(({ api_key_id: id }) => id),
  );
  const { columns } = words;
  return [
    {
      key: 'reason',
      header: columns.reason,
      place: 'topStart',
      wraps: true,
      cell: (call) => (
        <PageLink to="/requests/$requestId" params={{ requestId: call.id }}>
          {reasonOf(call)}
        </PageLink>
      ),
    },
    {
      key: 'time',
      header: columns.time,
      place: 'topEnd',
      cell: ({ created_at: at }) => <Time at={at} />,
    },
    {
      key: 'model',
      header: columns.model,
      place: 'bottomStart',
      cell: ({ model }) => <Name>{model}</Name>,
    },
    {
      key: 'key',
      header: columns.key,
      place: 'bottomEnd',
      cell: ({ api_key_id: id }) => <Named id={id} names={keys} wrap={(shown) => <>{shown}</>} />,
    },
  ];
}

/** The answer of the last provider; where none was called, or an answer broke off, the error that the caller got. */
function reasonOf({ attempts, error_code: code }: ModelRequest): string {
  const last = attempts.at(-1);
  if (last?.error !== undefined) return `${visibleText(last.provider)}: ${attemptResult(last)}`;
  return code === null ? words.unknown : visibleText(errorWords(code));
}
