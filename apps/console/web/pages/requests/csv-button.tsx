import { type ReactElement, useEffect, useRef, useState } from 'react';
import { type OrganizationApi } from '../../api/client';
import { useApi } from '../../api/use-api';
import { showStatus } from '../../browser/status-store';
import { type ModelRequest } from '../../calls/request';
import { Button } from '../../ui/button/button';
import { saveFile } from '../../ui/download';
import { ErrorNote } from '../../ui/states/error-note';
import { requestList, type RequestsAddress } from './list';
import { requestsCsv } from './requests-csv';
import { requestsRoute } from './route';
import { text } from './text';

const ROWS_MAX = 10_000;
const PAGE_SIZE = 100;

interface Reading {
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

/** Saves the newest calls of the filter. It tells how far it is, and can be stopped. */
export function CsvButton(): ReactElement {
  const api = useApi();
  const search = requestsRoute.useSearch();
  const stopping = useRef<AbortController | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);
  const save = async () => {
    const { signal } = (stopping.current = new AbortController());
    setRead(0);
    setError(null);
    try {
      const { rows, isCut } = await readRows(api, search, { signal, onProgress: setRead });
      saveFile(text.csv.name, 'text/csv', requestsCsv(rows));
      showStatus(isCut ? text.csv.cut(rows.length) : text.csv.done(rows.length));
    } catch (problem) {
      if (!signal.aborted) setError(problem as Error);
    } finally {
      setRead(null);
    }
  };
  return (
    <>
      {read === null ? (
        <Button onClick={() => void save()}>{text.csv.action}</Button>
      ) : (
        <>
          <span role="status">{text.csv.progress(read)}</span>
          <Button onClick={() => stopping.current?.abort()}>{text.csv.stop}</Button>
        </>
      )}
      <ErrorNote error={error} />
    </>
  );
}

async function readRows(
  api: OrganizationApi,
  search: RequestsAddress,
  { signal, onProgress }: Reading,
): Promise<{ rows: readonly ModelRequest[]; isCut: boolean }> {
  const rows: ModelRequest[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...requestList.queryOf(search), limit: PAGE_SIZE, cursor };
    const page = await api.get('/requests', { params: { query }, signal });
    rows.push(...page.data);
    onProgress(rows.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < ROWS_MAX);
  return { rows: rows.slice(0, ROWS_MAX), isCut: cursor !== undefined };
}
