export { EdgeModule, type EdgeRuntime } from './edge.module';
