/** Does the work of every item, a limited number at a time, begun in order. The first failure is thrown, and no more items are begun. */
export async function runConcurrently<T>(
  items: readonly T[],
  count: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  const state = { hasFailed: false };
  const worker = async () => {
    for (const [index, item] of rest) {
      if (state.hasFailed) return;
      try {
        await work(item, index);
      } catch (error) {
        state.hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
}
