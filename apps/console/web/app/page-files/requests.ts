export { RefusalsPage } from '../../pages/refusals/refusals-page';
export { RequestPage } from '../../pages/requests/request-page';
export { RequestsPage } from '../../pages/requests/requests-page';
