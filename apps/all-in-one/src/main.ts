import 'reflect-metadata';
import { exitWithError } from '@svc/platform';
import { startAllInOne } from './start';

startAllInOne().catch(exitWithError());
