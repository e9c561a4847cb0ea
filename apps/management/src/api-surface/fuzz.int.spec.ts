import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(1_500, 0.6);
