import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { useSession } from '../../session/session-store';
import { Button } from '../../ui/button/button';
import { SecretDialog } from '../../ui/dialog/secret-dialog';
import { ErrorNote } from '../../ui/states/error-note';
import { Note } from '../../ui/states/notes';
import { secretIn, type ApprovalRequest, type SecretKind } from './approval';
import { text } from './text';

/** The secret that an executed change made, once, for the person who asked. Keys claim theirs by the API. */
export function ClaimSecret({ request }: { readonly request: ApprovalRequest }): ReactElement | null {
  const words = text.claim;
  const { user } = useSession();
  const [claimed, setClaimed] = useState<{ kind: SecretKind; secret: string } | null>(null);
  const params = { path: { approval_request_id: request.id } };
  const claim = useWrite(
    (api) => api.post('/approval-requests/{approval_request_id}/claim-secret', { params }),
    { changes: ['/approval-requests', '/audit-log'] },
  );
  const run = async () => {
    const answer = await claim.run(undefined);
    if (answer !== null) setClaimed(secretIn(answer));
  };
  const state = request.result?.secret ?? 'none';
  const { type, id } = request.requested_by;
  const mayClaim = state === 'available' && type === 'user' && id === user.id;
  const note = mayClaim ? words.available : words.states[state];
  return (
    <>
      {note !== '' && (
        <Note>
          <p>{note}</p>
          {mayClaim && (
            <Button variant="primary" isBusy={claim.isBusy} onClick={() => void run()}>
              {words.action}
            </Button>
          )}
        </Note>
      )}
      <ErrorNote error={claim.error} />
      <SecretDialog
        secret={claimed?.secret ?? null}
        title={words.titles[claimed?.kind ?? 'key']}
        label={words.labels[claimed?.kind ?? 'key']}
        warning={words.warning}
        onSaved={() => setClaimed(null)}
      />
    </>
  );
}
