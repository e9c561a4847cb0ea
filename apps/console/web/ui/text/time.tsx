import { createContext, type ReactElement, use, useEffect, useState } from 'react';
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
  const now = useNow(at, as !== 'instant' && as !== 'clock');
  const instant = new Date(at);
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
function useNow(at: string, isLive: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isLive) return undefined;
    const tick = () => {
      if (!document.hidden) setNow(new Date());
    };
    const timer = setTimeout(tick, relativeChangesIn(new Date(at), now));
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [at, isLive, now]);
  return now;
}
