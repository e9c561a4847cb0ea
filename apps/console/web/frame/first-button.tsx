import { type ReactElement } from 'react';
import { useOpened } from '../browser/opened';
import { useCan } from '../session/organization';
import { Button } from '../ui/button/button';

interface FirstButtonProps {
  readonly opens: Parameters<typeof useOpened>[0];
  readonly needs: Parameters<typeof useCan>[0];
  readonly label: string;
}

/** What makes the first of an empty list, for those who may: it opens the same dialog as the button above the list. */
export function FirstButton({ opens, needs, label }: FirstButtonProps): ReactElement | null {
  const { open } = useOpened(opens);
  return useCan(needs) ? <Button onClick={open}>{label}</Button> : null;
}
