export { DispatcherModule, type DispatcherRuntime } from './dispatcher.module';
