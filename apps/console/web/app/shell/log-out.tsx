import { type ReactElement, useState } from 'react';
import { logOut } from '../../api/transport';
import { showStatus } from '../../browser/status-store';
import { announceLogOut } from '../../session/other-tabs';
import { Button } from '../../ui/button/button';

/** Ends the session here and in every tab. */
export function useLogOut(): { readonly run: () => void; readonly isBusy: boolean } {
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    try {
      await logOut();
      announceLogOut();
      window.location.replace('/auth/login');
    } catch (error) {
      setIsBusy(false);
      showStatus(error instanceof Error ? error.message : 'Logging out failed.');
    }
  };
  return { run: () => void run(), isBusy };
}

export function LogOutButton(): ReactElement {
  const { run, isBusy } = useLogOut();
  return (
    <Button onClick={run} isBusy={isBusy}>
      Log out
    </Button>
  );
}
