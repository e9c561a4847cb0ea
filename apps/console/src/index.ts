export { ConsoleModule, type ConsoleRuntime } from './console.module';
