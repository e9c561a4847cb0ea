import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(10_000, 0.9);
