import { useEffect, useState } from 'react';

/** What is over sooner would only flicker. */
const LASTING_MS = 150;

/** True once a state has lasted for 150 ms, and until it ends. */
export function useLasting(isOn: boolean): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setHasLasted(true), LASTING_MS);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isOn]);
  return isOn && hasLasted;
}
