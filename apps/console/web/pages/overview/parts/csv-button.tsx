import { useMutation } from '@tanstack/react-query';
import { type ReactElement } from 'react';
import { ApiError } from '../../../api/api-error';
import { type OrganizationApi } from '../../../api/client';
import { useApi } from '../../../api/use-api';
import { showStatus } from '../../../browser/status-store';
import { Button } from '../../../ui/button/button';
import { saveFile } from '../../../ui/download';
import { ErrorNote } from '../../../ui/states/error-note';
import { type UsageRow } from '../groups';
import { type Period } from '../period';
import { text } from './text';
import { usageCsv } from './usage-csv';
import { filterOf, type UsageView } from '../usage-reads';

interface CsvButtonProps {
  readonly view: UsageView;
  readonly period: Period;
}

/** Saves the sums of all groups, by day where one answer holds them. */
export function CsvButton({ view, period }: CsvButtonProps): ReactElement {
  const api = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => readAll(api, view),
    gcTime: 0,
    onSuccess: (rows) => {
      saveFile(text.csv.name(period, view.group), 'text/csv', usageCsv(rows, view.group));
      showStatus(text.table.saved(rows.length));
    },
  });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {text.table.csv}
      </Button>
      <ErrorNote error={error} />
    </>
  );
}

/** @throws ApiError where even one row a group is more than one answer holds. */
async function readAll(api: OrganizationApi, view: UsageView): Promise<UsageRow[]> {
  const { range, group } = view;
  const read = async (groupBy: string) => {
    const query = { ...range.current, ...filterOf(view), group_by: groupBy };
    return (await api.get('/usage', { params: { query } })).data;
  };
  try {
    return await read(`day,${group}`);
  } catch (error) {
    if (error instanceof ApiError && error.param === 'group_by') return read(group);
    throw error;
  }
}
