import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { lastDays } from '../../calls/last-days';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { useKeyColumns, WEEK_DAYS } from './key-columns';
import { keysRoute } from './route';
import { text } from './text';

/** As many as usage names. */
const TOP = 50;

/** The keys that cost the most in the last 7 days, of all keys: a page of the list could not be sorted. */
export function KeysBySpend(): ReactElement {
  const { project } = keysRoute.useSearch();
  const [range] = useState(() => lastDays(WEEK_DAYS));
  const query = { ...range, project_id: project, group_by: 'api_key', top: TOP };
  const usage = useRead('/usage', { params: { query } }, { keepsPrevious: true });
  return (
    <Result of={usage} lines={10}>
      {({ data }) => <Ranked ids={data.flatMap(({ api_key_id: id }) => id ?? [])} />}
    </Result>
  );
}

function Ranked({ ids }: { readonly ids: readonly string[] }): ReactElement {
  const query = { ids: ids.join(','), limit: TOP };
  const keys = useRead('/keys', { params: { query } }, { enabled: ids.length > 0, keepsPrevious: true });
  const rows = (keys.data?.data ?? []).toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  const columns = useKeyColumns(rows);
  if (ids.length === 0) return <p className="muted">{text.bySpend.none}</p>;
  return (
    <>
      <p className="muted">{text.bySpend.note(TOP)}</p>
      <Result of={keys} lines={10}>
        {() => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            isStale={keys.isPlaceholderData}
          />
        )}
      </Result>
    </>
  );
}
