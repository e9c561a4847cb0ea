import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { visibleText } from '../../format/visible-text';
import { Button } from '../button/button';
import { ApprovalReason } from '../fields/approval-reason';
import { Footer } from '../footer/footer';
import { ErrorNote } from '../states/error-note';
import fields from '../fields/fields.module.css';
import { AlertDialog } from './dialog';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequence: which things stop working, and when they were last used. */
  readonly children: ReactNode;
  /** The words of the button: `Revoke key`. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly error?: Error | null;
  /** The name that must be typed before the button works: for what cannot be undone. */
  readonly typedName?: string;
  readonly isDanger?: boolean;
  /** The action, as approval policies call it: `budget.delete`. */
  readonly approval?: string;
}

const NAME_FIRST = 'Type the name above first.';

/** Asks before something is destroyed. "Cancel" has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { isOpen, onClose, title, children, typedName } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog isOpen={isOpen} onClose={onClose} title={title} description={children} initialFocus={cancel}>
      {isOpen && <Confirmation key={typedName} {...props} cancel={cancel} />}
    </AlertDialog>
  );
}

function Confirmation(
  props: ConfirmDialogProps & { readonly cancel: React.RefObject<HTMLButtonElement | null> },
): ReactElement {
  const {
    typedName,
    action,
    onConfirm,
    onClose,
    isBusy = false,
    error = null,
    isDanger = true,
    approval,
    cancel,
  } = props;
  const [typed, setTyped] = useState('');
  const id = useId();
  const isNamed = typedName === undefined || typed.trim() === typedName.trim();
  return (
    <form
      className={fields.frame}
      onSubmit={(event) => {
        event.preventDefault();
        if (isNamed && !isBusy) onConfirm();
      }}
    >
      {typedName !== undefined && (
        <div className={fields.field}>
          <label htmlFor={id}>
            Type <strong>“{visibleText(typedName)}”</strong> to confirm
          </label>
          <input
            id={id}
            className={fields.input}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      )}
      {approval !== undefined && <ApprovalReason action={approval} />}
      <ErrorNote error={error} takesFocus />
      <Footer>
        <Button ref={cancel} onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabledReason={isNamed ? null : NAME_FIRST}
        >
          {action}
        </Button>
      </Footer>
    </form>
  );
}
