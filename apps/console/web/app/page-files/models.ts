export { ModelPage } from '../../pages/models/model-page';
export { ModelsPage } from '../../pages/models/models-page';
export { PlaygroundPage } from '../../pages/playground/playground-page';
export { StartPage } from '../../pages/start/start-page';
