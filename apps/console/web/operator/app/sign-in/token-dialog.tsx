import { type ReactElement, useRef } from 'react';
import { Button } from '../../../ui/button/button';
import { AlertDialog } from '../../../ui/dialog/dialog';
import { signOut } from '../../session/sign-out';
import { type EndReason } from '../../session/token-store';
import { text } from './text';
import { TokenForm } from './token-form';

/** Asks for the token over the page, so that nothing typed is lost. Null while it is known. */
export function TokenDialog({ reason }: { readonly reason: EndReason | null }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const shown = reason ?? 'refused';
  return (
    <AlertDialog
      isOpen={reason !== null}
      title={text.ended[shown]}
      description={<p>{text.endedWhy[shown]}</p>}
      initialFocus={input}
    >
      <TokenForm input={input} leave={<Button onClick={signOut}>{text.signOut}</Button>} />
    </AlertDialog>
  );
}
