import { type ReactElement, useState } from 'react';
import { accountApi } from '../../api/client';
import { useWrite } from '../../api/use-write';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { ErrorNote } from '../../ui/states/error-note';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { SESSIONS, useSessions, type OwnSession } from './use-sessions';

const words = text.account;

/** Where the user is logged in, each with "End". */
export function Sessions(): ReactElement {
  const sessions = useSessions();
  return (
    <>
      <h3>{words.sessions}</h3>
      <Result of={sessions} lines={3}>
        {(data) => (
          <>
            <DataTable caption={words.sessions} columns={columns} rows={data} rowKey={({ id }) => id} />
            {data.length > 1 ? <EndOthers /> : <p className="muted">{words.noOthers}</p>}
          </>
        )}
      </Result>
    </>
  );
}

const columns: readonly Column<OwnSession>[] = [
  {
    key: 'browser',
    header: words.browser,
    wraps: true,
    cell: ({ user_agent: agent, current }) => (
      <>
        {agent === null ? words.unknown : visibleText(agent)}{' '}
        {current && <Badge tone="accent">{words.current_session}</Badge>}
      </>
    ),
  },
  {
    key: 'address',
    header: words.address,
    cell: ({ address }) => (address === null ? words.unknown : visibleText(address)),
  },
  { key: 'started', header: words.started, cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'seen', header: words.seen, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  { key: 'expires', header: words.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
  { key: 'end', header: words.end, cell: (session) => !session.current && <EndSession id={session.id} /> },
];

function EndSession({ id }: { readonly id: string }): ReactElement {
  const params = { path: { session_id: id } };
  const end = useWrite(() => accountApi.delete('/auth/sessions/{session_id}', { params }), {
    changes: [SESSIONS],
    says: words.ended,
  });
  return (
    <>
      <Button isBusy={end.isBusy} onClick={() => void end.run(undefined)}>
        {words.end}
      </Button>
      <ErrorNote error={end.error} />
    </>
  );
}

function EndOthers(): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const end = useWrite(() => accountApi.post('/auth/sessions/end-others', {}), {
    changes: [SESSIONS],
    says: words.endOthers.done,
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>{words.endOthers.action}</Button>
      <ConfirmWrite write={end} isOpen={isAsked} onClose={() => setAsked(false)} words={words.endOthers} />
    </>
  );
}
