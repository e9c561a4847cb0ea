export { AuthModule } from './auth.module';
export { authRoutes } from './documented-routes';
export { oauthControllers } from './oauth.module';
export { type AuthRuntime } from './runtime';
