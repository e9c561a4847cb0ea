import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { SessionDialogs } from '../login/session-dialogs';
import { lazyPart } from '../../ui/loading/lazy-part';
import { StatusRegion } from '../../ui/status/status-region';
import { followShellDialogs, type ShellDialog } from './shell-dialogs';

const CommandMenu = lazyPart(async () => (await import('./command-menu')).CommandMenu);
const LaterAttendance = lazyPart(async () => (await import('./later-attendance')).LaterAttendance);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog')).ShortcutsDialog);

/** What attends to every page: messages, tooltips, the session's dialogs, the command menu and the shortcuts. */
export function Attendance(): ReactElement {
  const [open, setOpen] = useState<ShellDialog | null>(null);
  useEffect(() => followShellDialogs(setOpen), []);
  const close = () => setOpen(null);
  return (
    <>
      <StatusRegion />
      <SessionDialogs />
      <Suspense>
        <LaterAttendance />
      </Suspense>
      <Suspense>
        {open === 'commands' && <CommandMenu onClose={close} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}
