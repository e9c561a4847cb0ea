import { type ReactElement, type ReactNode, useEffect } from 'react';
import { type Write } from '../api/writes';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/dialog/confirm-dialog';

interface ConfirmWords {
  readonly title: string;
  /** The words of the button: `Revoke key`. */
  readonly action: string;
  /** The first paragraph: what it does. */
  readonly effect?: string;
}

type Asked<Input, Data> =
  | { readonly isOpen: boolean; readonly input?: never; readonly write: Write<undefined, Data> }
  /** The target, which the write is run with. Null while nothing is asked. */
  | { readonly isOpen?: never; readonly input: Input | null; readonly write: Write<Input, Data> };

type ConfirmWriteProps<Input, Data> = Asked<Input, Data> &
  Pick<ConfirmDialogProps, 'onClose' | 'typedName' | 'isDanger' | 'approval'> & {
    readonly words: ConfirmWords;
    readonly children?: ReactNode;
    /** The step after it, once the dialog is closed. */
    readonly onDone?: (answer: Data) => void;
  };

/** Asks before a write that destroys something. Once it is done the dialog closes; what failed says why in it. */
export function ConfirmWrite<Input, Data>(props: ConfirmWriteProps<Input, Data>): ReactElement {
  const { onClose, typedName, isDanger, approval, words, children, onDone } = props;
  const { isBusy, error, reset } = props.write;
  const isOpen = props.isOpen ?? props.input !== null;
  // Whether it was closed before it failed or after: what is asked next did not fail.
  useEffect(() => {
    if (!isOpen && error !== null) reset();
  }, [isOpen, error, reset]);
  const send = async (): Promise<Data | null> => {
    if (props.isOpen !== undefined) return props.write.run(undefined);
    return props.input === null ? null : props.write.run(props.input);
  };
  const confirm = async (): Promise<void> => {
    const answer = await send();
    if (answer === null) return;
    onClose();
    onDone?.(answer);
  };
  return (
    <ConfirmDialog
      {...{ isOpen, onClose, typedName, isDanger, approval, isBusy, error }}
      title={words.title}
      action={words.action}
      onConfirm={() => void confirm()}
    >
      {words.effect !== undefined && <p>{words.effect}</p>}
      {children}
    </ConfirmDialog>
  );
}
