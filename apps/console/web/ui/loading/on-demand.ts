import { useState } from 'react';

interface OnDemand {
  /** Whether the button was pressed. */
  readonly isAsked: boolean;
  readonly ask: () => void;
  /** Of the button. What it opens is loaded when a press is near, so that it opens at once. */
  readonly trigger: {
    readonly onPointerEnter: () => void;
    readonly onFocus: () => void;
    readonly onClick: () => void;
  };
}

/** For a button whose popup is loaded when the button is used first. */
export function useOnDemand(load: () => Promise<unknown>): OnDemand {
  const [isAsked, setIsAsked] = useState(false);
  const ask = () => setIsAsked(true);
  // A pointer that only passes by reports nothing.
  const prepare = () => void load().catch(() => undefined);
  return { isAsked, ask, trigger: { onPointerEnter: prepare, onFocus: prepare, onClick: ask } };
}
