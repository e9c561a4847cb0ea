import { createContext, type ReactElement, use, useSyncExternalStore } from 'react';
import { followClock } from '../../browser/clock';
import { usePreferences } from '../../browser/preferences';
import {
  formatBothZones,
  formatClock,
  formatDue,
  formatInstant,
  formatRelative,
  formatReset,
  relativeChangesIn,
} from '../../format/time';

/** True inside a table, where fifty tab stops would be in the way: the row in focus shows its time instead. */
export const InRowContext = createContext(false);

interface TimeProps {
  /** ISO 8601, as the API writes it. */
  readonly at: string;
  /**
   * `relative` in lists, and live; `instant` the date, the time and the zone; `clock` the time of day alone; `reset` for
   * when a budget or a limit starts again, by UTC; `due` for what is still to be done, which is never in the past.
   */
  readonly as?: 'relative' | 'instant' | 'clock' | 'reset' | 'due';
}

/** An instant by the zone that the reader chose. The tooltip has it by both clocks. */
export function Time({ at, as = 'relative' }: TimeProps): ReactElement {
  const { zone } = usePreferences();
  const isInRow = use(InRowContext);
  const instant = new Date(at);
  const now = useNow(instant, as !== 'instant' && as !== 'clock');
  const words = {
    relative: () => formatRelative(instant, now, zone),
    instant: () => formatInstant(instant, zone),
    clock: () => formatClock(instant, zone),
    reset: () => formatReset(instant, now),
    due: () => formatDue(instant, now, zone),
  };
  return (
    <time
      className="number"
      dateTime={at}
      data-tip={formatBothZones(instant, zone)}
      // The tooltip must be reachable by keyboard (WCAG 1.4.13).
      tabIndex={isInRow ? undefined : 0}
    >
      {words[as]()}
    </time>
  );
}

/** The time, again whenever what is shown of it changes, while the tab is visible. */
function useNow(instant: Date, isLive: boolean): Date {
  // The same number until the words are due to change.
  const period = () => (isLive ? Math.floor(Date.now() / relativeChangesIn(instant, new Date())) : 0);
  useSyncExternalStore(isLive ? followClock : followNothing, period);
  return new Date();
}

const followNothing = () => () => undefined;
