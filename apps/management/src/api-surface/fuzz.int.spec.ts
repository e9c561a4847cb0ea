import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(1_000);
