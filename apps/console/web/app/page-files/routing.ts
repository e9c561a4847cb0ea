export { RoutingPage } from '../../pages/routing/routing-page';
export { VersionPage } from '../../pages/routing/version-page';
