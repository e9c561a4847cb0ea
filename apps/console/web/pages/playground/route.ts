import { createRoute } from '@tanstack/react-router';
import { flag, idOf, oneOf, several, text, type Parameter } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { PlaygroundIcon } from '../../ui/icons/icons';
import { MODELS_MAX } from './models-max';

/** Each model once, and no more than fit side by side. */
const models: Parameter<readonly string[]> = (texts) => {
  const ids = [...new Set(several(text)(texts) ?? [])];
  return ids.length > 0 && ids.length <= MODELS_MAX ? ids : undefined;
};

/** `/console/playground`: a model, tried through the real edge. Who may not make a key can paste one. */
export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: address({
    model: models,
    route: oneOf('chat', 'messages'),
    project: idOf('project'),
    stream: flag,
    strict: flag,
  }),
  staticData: { title: 'Playground', group: 'use', icon: PlaygroundIcon },
});
