import { type ReactElement, useEffect, useState } from 'react';
import { showStatus } from '../../browser/status-store';
import { Button, IconButton } from '../button/button';
import { CheckIcon, CopyIcon } from '../icons/icons';

const SHOWN_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** The kind of the copied text: `id`, `API key`, `code`. */
  readonly what: string;
  /** Shows the word beside the icon. */
  readonly isLabelled?: boolean;
  /** Other words beside the icon than "Copy". */
  readonly label?: string;
}

/** Copies on a press, and says so. */
export function CopyButton({ text, what, isLabelled = false, label }: CopyButtonProps): ReactElement {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setIsDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsDone(true);
      showStatus(`Copied the ${what}.`);
    } catch {
      showStatus('The browser did not allow copying. Select the text and copy it yourself.');
    }
  };
  const icon = isDone ? <CheckIcon /> : <CopyIcon />;
  return isLabelled || label !== undefined ? (
    <Button icon={icon} onClick={() => void copy()} aria-label={label ?? `Copy ${what}`}>
      {label ?? 'Copy'}
    </Button>
  ) : (
    <IconButton icon={icon} label={`Copy ${what}`} onClick={() => void copy()} />
  );
}
