import { callScenarios } from './calls.mjs';
import { growth } from './growth.mjs';
import { managementLists } from './management-lists.mjs';
import { memory } from './memory.mjs';
import { policyScenarios } from './policies.mjs';
import { providerScenarios } from './providers.mjs';
import { startUp } from './start-up.mjs';
import { streamScenarios } from './streams.mjs';
import { webhookDeliveries } from './webhook-deliveries.mjs';
import { webhookNeighbours } from './webhook-neighbours.mjs';

/** In the order in which they run. */
export const scenarios = [
  ...callScenarios,
  ...streamScenarios,
  ...policyScenarios,
  ...providerScenarios,
  startUp,
  memory,
  webhookDeliveries,
  webhookNeighbours,
  managementLists,
  growth,
];
