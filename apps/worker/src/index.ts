export { WorkerModule, type WorkerRuntime } from './worker.module';
