import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { SessionDialogs } from '../login/session-dialogs';
import { lazyPart } from '../../ui/loading/lazy-part';
import { StatusRegion } from '../../ui/status/status-region';
import { copyExactAmounts } from './copied-amounts';
import { followShellDialogs, type ShellDialog } from './shell-dialogs';
import { followShortcuts } from './shortcuts';

const CommandMenu = lazyPart(async () => (await import('./command-menu')).CommandMenu);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog')).ShortcutsDialog);
const Tooltips = lazyPart(async () => (await import('../../ui/tooltip/tooltips')).Tooltips);

/** Parts that attend to every page: messages, tooltips, the session's dialogs, the command menu and the shortcuts. */
export function Attendance(): ReactElement {
  const [open, setOpen] = useState<ShellDialog | null>(null);
  useEffect(() => followShellDialogs(setOpen), []);
  useEffect(() => followShortcuts(), []);
  useEffect(() => copyExactAmounts(), []);
  const close = () => setOpen(null);
  return (
    <>
      <StatusRegion />
      <SessionDialogs />
      <Suspense>
        <Tooltips />
      </Suspense>
      <Suspense>
        {open === 'commands' && <CommandMenu onClose={close} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}
