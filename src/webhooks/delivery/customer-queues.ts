/** The fields of a delivery that decide when it may be sent. */
export interface Queued {
  readonly uid: string;
  readonly customerUid: string | null;
  readonly version: bigint | null;
}

interface Queue<Item> {
  readonly items: Item[];
  /** The uid of the failed delivery that blocks it; null: none does. */
  heldBy: string | null;
}

/**
 * The deliveries of one receiver in memory, with one queue per customer. At most one delivery of a customer is in flight at a time, lowest version
 * first (program.md 7). A failed one blocks its queue until the failure is recorded; then the queue is dropped, and read again from the
 * database.
 */
export interface CustomerQueues<Item extends Queued> {
  /** Deliveries by uid that wait here, are in flight, or are not recorded yet: they must not be read again. */
  readonly known: Map<string, Item>;
  /** By the customer's uid, or by the delivery's uid if it has no customer. */
  readonly queues: Map<string, Queue<Item>>;
  /** Keys of the queues whose first delivery may be sent; the one that has been ready longest comes first. */
  readonly ready: Set<string>;
}

export function emptyQueues<Item extends Queued>(): CustomerQueues<Item> {
  return { known: new Map(), queues: new Map(), ready: new Set() };
}

/** Adds a delivery, unless it is known. */
export function addDelivery<Item extends Queued>(to: CustomerQueues<Item>, item: Item): void {
  if (to.known.has(item.uid)) return;
  to.known.set(item.uid, item);
  const key = queueKey(item);
  const queue = to.queues.get(key);
  if (queue !== undefined) {
    insert(queue.items, item);
    return;
  }
  to.queues.set(key, { items: [item], heldBy: null });
  to.ready.add(key);
}

/** Takes the next delivery that may be sent; undefined: there is none. */
export function takeDelivery<Item extends Queued>(from: CustomerQueues<Item>): Item | undefined {
  for (const key of from.ready) {
    from.ready.delete(key);
    const item = from.queues.get(key)?.items.shift();
    if (item !== undefined) return item;
  }
  return undefined;
}

/** Returns a delivery that was taken. The customer's next one may be sent, or the queue is blocked if this one failed. */
export function returnDelivery<Item extends Queued>(
  to: CustomerQueues<Item>,
  item: Item,
  isAcknowledged: boolean,
): void {
  const key = queueKey(item);
  const queue = to.queues.get(key);
  if (queue === undefined) return;
  if (!isAcknowledged) queue.heldBy = item.uid;
  else if (queue.items.length === 0) to.queues.delete(key);
  else to.ready.add(key);
}

/**
 * Removes deliveries whose outcome is in the database, with the queues that they blocked; returns the deliveries that waited in these queues. Call
 * it between two reads of due deliveries, never during one, because the read may be older than the outcome.
 */
export function dropDeliveries<Item extends Queued>(from: CustomerQueues<Item>, items: readonly Item[]): Item[] {
  const dropped: Item[] = [];
  for (const item of items) {
    from.known.delete(item.uid);
    const key = queueKey(item);
    const queue = from.queues.get(key);
    if (queue?.heldBy !== item.uid) continue; // of an earlier one: the failed one is not in the database yet
    for (const later of queue.items) from.known.delete(later.uid);
    dropped.push(...queue.items);
    from.queues.delete(key);
  }
  return dropped;
}

/** Whether a customer has `itemsMax` or more deliveries in memory. */
export function isBusy<Item extends Queued>(of: CustomerQueues<Item>, item: Item, itemsMax: number): boolean {
  return (of.queues.get(queueKey(item))?.items.length ?? 0) >= itemsMax;
}

/** Returns customers with `itemsMax` or more deliveries in memory: others are read first, so that a busy customer does not delay others. */
export function longQueues(of: CustomerQueues<Queued>, itemsMax: number): string[] {
  const keys: string[] = [];
  for (const [key, queue] of of.queues) if (queue.items.length >= itemsMax) keys.push(key);
  return keys;
}

function queueKey(item: Queued): string {
  return item.customerUid ?? item.uid;
}

function insert<Item extends Queued>(items: Item[], item: Item): void {
  let at = items.length;
  while (at > 0 && isBefore(item, items[at - 1])) at--;
  items.splice(at, 0, item);
}

function isBefore(a: Queued, b: Queued | undefined): boolean {
  if (b === undefined) return false;
  const [versionA, versionB] = [a.version ?? 0n, b.version ?? 0n];
  return versionA === versionB ? a.uid < b.uid : versionA < versionB;
}
