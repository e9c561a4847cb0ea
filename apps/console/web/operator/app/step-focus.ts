import { type RefObject, useEffect, useRef } from 'react';

/** For the safe button of a step that takes the place of another in a dialog: what had the focus is gone. */
export function useStepFocus(isLater = true): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLater) button.current?.focus();
  }, [isLater]);
  return button;
}
