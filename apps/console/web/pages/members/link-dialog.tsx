import { type ReactElement } from 'react';
import { SecretDialog } from '../../ui/dialog/secret-dialog';
import { type CreatedInvitation } from './member';
import { text } from './text';

/** The link of an invitation, once, and whether it was mailed. */
export function LinkDialog({
  created,
  onSaved,
}: {
  readonly created: CreatedInvitation | null;
  readonly onSaved: () => void;
}): ReactElement {
  return (
    <SecretDialog
      secret={created?.accept_url ?? null}
      onSaved={onSaved}
      title={text.link.title}
      label={text.link.label}
      warning={created?.mailed === true ? text.link.mailed : text.link.notMailed}
    />
  );
}
