import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(6_000);
