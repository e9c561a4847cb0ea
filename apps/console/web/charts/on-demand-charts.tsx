import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '../ui/loading/lazy-part';
import { Skeleton } from '../ui/states/states';
import { type LineWithBandProps } from './line-with-band';
import { type Value } from './plotted';
import { type StackedBarsProps } from './stacked-bars';

/** About as high as a chart. */
const LINES = 8;

const LoadedBars = lazyPart(async () => (await import('./stacked-bars')).StackedBars<Value>);
const LoadedLine = lazyPart(async () => (await import('./line-with-band')).LineWithBand);

/** `StackedBars`, whose code is loaded when it is shown first: what is around it does not wait for it. */
export const StackedBars = <V extends Value>(props: StackedBarsProps<V>): ReactElement => (
  <Suspense fallback={<Skeleton lines={LINES} />}>
    <LoadedBars {...(props as unknown as StackedBarsProps<Value>)} />
  </Suspense>
);

/** `LineWithBand`, likewise. */
export const LineWithBand = (props: LineWithBandProps): ReactElement => (
  <Suspense fallback={<Skeleton lines={LINES} />}>
    <LoadedLine {...props} />
  </Suspense>
);
