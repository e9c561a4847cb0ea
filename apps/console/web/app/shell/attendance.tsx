import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { SessionDialogs } from '../login/session-dialogs';
import { lazyPart } from '../../ui/loading/lazy-part';
import { StatusRegion } from '../../ui/status/status-region';
import { Tooltips } from '../../ui/tooltip/tooltips';
import { copyExactAmounts } from './copied-amounts';
import { followShortcuts, type ShellDialog } from './shortcuts';

const CommandMenu = lazyPart(async () => (await import('./command-menu')).CommandMenu);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog')).ShortcutsDialog);

/** What attends to every page: messages, tooltips, the session's dialogs, the command menu and the shortcuts. */
export function Attendance(): ReactElement {
  const [open, setOpen] = useState<ShellDialog | null>(null);
  useEffect(() => followShortcuts(setOpen), []);
  useEffect(() => copyExactAmounts(), []);
  const close = () => setOpen(null);
  return (
    <>
      <StatusRegion />
      <Tooltips />
      <SessionDialogs />
      <Suspense>
        {open === 'commands' && <CommandMenu onClose={close} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}
