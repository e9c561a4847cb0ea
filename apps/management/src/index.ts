export { ManagementModule } from './management.module';
export { type ManagementRuntime } from './runtime';
