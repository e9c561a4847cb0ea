/** By one column; with a minus, the greatest first. */
export type Order<Key extends string> = Key | `-${Key}`;

const bothWays = <Key extends string>(keys: readonly Key[]): readonly Order<Key>[] =>
  keys.flatMap((key): Order<Key>[] => [key, `-${key}`]);

const modelKeys = ['model', 'context', 'output', 'input_price', 'output_price'] as const;
/** Orders of models. */
export type ModelKey = (typeof modelKeys)[number];
export const modelOrders = bothWays(modelKeys);

const endpointKeys = ['endpoint', 'input_price', 'output_price', 'latency'] as const;
/** Orders of the endpoints of a model. */
export type EndpointKey = (typeof endpointKeys)[number];
export const endpointOrders = bothWays(endpointKeys);
