import 'reflect-metadata';
import { exitWithError } from '@svc/runtime';
import { startAllInOne } from './start';

startAllInOne().catch(exitWithError());
