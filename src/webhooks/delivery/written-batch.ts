import type { Topic } from "../topics/index.ts";

/** An event as in its row of `outbox_event`. */
export interface WrittenEvent {
  readonly bucket: number;
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
  readonly payload: string;
  readonly traceparent: string | null;
}

/** A batch that this process has committed. Its events, in their order, need not be read again to be sent. */
export interface WrittenBatch {
  readonly topic: Topic;
  readonly uid: string;
  readonly events: readonly WrittenEvent[];
}

/** How many such batches a receiver's worker keeps until it reads their positions; it keeps them no longer than an attempt may take. */
const CACHED_MAX = 128;
const CACHED_MS = 5_000;

/** Batches whose events need not be read, by uid. They are copies: without them the events are read. */
export type BatchCache = Map<string, { readonly events: readonly WrittenEvent[]; readonly cachedAtMs: number }>;

/** Caches a topic's batches; if there are too many, the oldest are dropped. */
export function cacheBatch(cache: BatchCache, topic: Topic, batches: readonly WrittenBatch[], nowMs: number): void {
  for (const batch of batches) {
    if (batch.topic === topic) cache.set(batch.uid, { events: batch.events, cachedAtMs: nowMs });
  }
  dropOldBatches(cache, nowMs);
}

/** Whether a topic's receivers have something to read: a batch of the topic was written, or something else happened than batches. */
export function isForTopic(topic: Topic, batches: readonly WrittenBatch[]): boolean {
  return batches.length === 0 || batches.some((batch) => batch.topic === topic);
}

/** Drops batches that were cached too long: a payload may be changed meanwhile, when personal data is erased. */
export function dropOldBatches(cache: BatchCache, nowMs: number): void {
  for (const [uid, { cachedAtMs }] of cache) {
    if (cache.size <= CACHED_MAX && nowMs - cachedAtMs < CACHED_MS) return;
    cache.delete(uid);
  }
}
