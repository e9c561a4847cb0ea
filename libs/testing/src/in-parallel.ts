/** Runs all work with bounded concurrency; results are in order. */
export async function inParallel<In, Out>(
  items: readonly In[],
  limit: number,
  work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}
