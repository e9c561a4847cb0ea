import { Inject } from '@nestjs/common';

export const CLOCK = Symbol('clock');

/** Has the clock of the process handed in. */
export const InjectClock = () => Inject(CLOCK);
