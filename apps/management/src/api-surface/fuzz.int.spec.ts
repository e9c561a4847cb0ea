import { describeMadeUpCalls } from '../testing/surface/made-up-calls';

describeMadeUpCalls(800, 0.4);
