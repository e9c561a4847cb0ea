import { useEffect, useState } from 'react';

/** As long as somebody pauses who types. */
const PAUSE_MS = 300;

/** A value as it was when it last rested. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
