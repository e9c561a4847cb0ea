/** By one column; with a minus, the greatest first. */
export type Order<Key extends string> = Key | `-${Key}`;

const bothWays = <Key extends string>(keys: readonly Key[]): readonly Order<Key>[] =>
  keys.flatMap((key): Order<Key>[] => [key, `-${key}`]);

const modelKeys = ['model', 'context', 'output', 'input_price', 'output_price'] as const;
/** What models can be sorted by. */
export type ModelKey = (typeof modelKeys)[number];
export const modelOrders = bothWays(modelKeys);

const endpointKeys = ['endpoint', 'input_price', 'output_price', 'latency'] as const;
/** What the endpoints of a model can be sorted by. */
export type EndpointKey = (typeof endpointKeys)[number];
export const endpointOrders = bothWays(endpointKeys);
