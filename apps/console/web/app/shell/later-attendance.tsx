import { type ReactElement, useEffect } from 'react';
import { Tooltips } from '../../ui/tooltip/tooltips';
import { copyExactAmounts } from './copied-amounts';
import { followShortcuts } from './shortcuts';

/** What attends to every page once it is drawn: nobody presses a key or points at something before. */
export function LaterAttendance(): ReactElement {
  useEffect(() => followShortcuts(), []);
  useEffect(() => copyExactAmounts(), []);
  return <Tooltips />;
}
