import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(7_000);
