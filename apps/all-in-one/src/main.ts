import 'reflect-metadata';
import { endInOneLine } from '@svc/platform';
import { startAllInOne } from './start';

startAllInOne().catch(endInOneLine());
