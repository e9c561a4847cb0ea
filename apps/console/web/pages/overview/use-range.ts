import { useEffect, useMemo, useState } from 'react';
import { DAY_MS, rangeOf, startOfUtcDay, type Period, type PeriodRange } from './period';

/** The range of a period, again after midnight UTC, and when the tab is shown on another day. */
export function useRange(period: Period): PeriodRange {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const follow = () => {
      if (!document.hidden && startOfUtcDay(Date.now()) !== startOfUtcDay(now)) setNow(Date.now());
    };
    const timer = setTimeout(follow, startOfUtcDay(now) + DAY_MS - now);
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [now]);
  return useMemo(() => rangeOf(period, now), [period, now]);
}
