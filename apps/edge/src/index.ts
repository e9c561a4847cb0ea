export { CatalogSource } from './catalog/catalog-source';
export { EdgeModule, type EdgeRuntime } from './edge.module';
export { renderRouteError } from './http/render-route-error';
export { RedisLimiter } from './limits/redis-limiter';
