export { ManagementModule, type ManagementRuntime } from './management.module';
