import { type ReactElement, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Dialog, type DialogProps } from '../ui/dialog/dialog';
import { FormFrameContext, type FormFrame } from '../ui/form-frame';
import { LeaveGuard, LeaveQuestion } from './leave-guard';

/** A dialog around a form that says by `useFormDialog` whether it was changed: then closing it asks. */
export function FormDialog({ onClose, children, ...props }: DialogProps): ReactElement {
  const [isChanged, setChanged] = useState(false);
  const [isAsked, setAsked] = useState(false);
  // Closing may be a change of the address.
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
  }, [props.isOpen]);
  const leave = () => (isChanged ? setAsked(true) : onClose());
  const close = () => {
    isClosing.current = true;
    onClose();
  };
  return (
    <Dialog {...props} onClose={leave}>
      <FormFrameContext value={{ setChanged, leave, close }}>{children}</FormFrameContext>
      <LeaveQuestion
        isOpen={isAsked}
        onStay={() => setAsked(false)}
        onLeave={() => {
          setAsked(false);
          // The form goes after the question was painted away: both at once take too long for a click.
          setTimeout(close);
        }}
      />
      <LeaveGuard isChanged={isChanged && props.isOpen} isLeftBySearch={() => !isClosing.current} />
    </Dialog>
  );
}

/**
 * For the form within a `FormDialog`.
 * @returns what "Cancel" does: it closes the dialog, and asks first where something was changed.
 */
export function useFormDialog(isChanged: boolean): () => void {
  const { setChanged, leave } = useFrame();
  // Before anything else can happen: Escape right after the first letter must ask, too.
  useLayoutEffect(() => {
    setChanged(isChanged);
    return () => setChanged(false);
  }, [isChanged, setChanged]);
  return leave;
}

/** @returns what closes the dialog around a form whose change was made: nothing is asked. */
export const useFormDone = (): (() => void) => useFrame().close;

function useFrame(): FormFrame {
  const frame = use(FormFrameContext);
  if (frame === null) throw new Error('The form is in no FormDialog.');
  return frame;
}
