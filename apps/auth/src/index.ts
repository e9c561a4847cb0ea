export { AuthModule } from './auth.module';
export { type AuthRuntime } from './runtime';
