import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(2_500);
