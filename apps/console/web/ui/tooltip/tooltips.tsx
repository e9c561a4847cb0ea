import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../loading/lazy-part';
import { followTips, type ShownTip } from './follow-tips';

const Tooltip = lazyPart(async () => (await import('./tooltip')).Tooltip);

/**
 * The one tooltip of the console: it shows the `data-tip` of whatever is pointed at or has the focus, so that a list of
 * a thousand amounts costs nothing more. Escape hides it (WCAG 1.4.13).
 */
export function Tooltips(): ReactElement {
  const [tip, setTip] = useState<ShownTip | null>(null);
  const [wasShown, setWasShown] = useState(false);
  if (tip !== null && !wasShown) setWasShown(true);
  useEffect(() => followTips(setTip), []);
  return <Suspense>{wasShown && <Tooltip tip={tip} />}</Suspense>;
}
