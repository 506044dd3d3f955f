/** The key of a customer in the ledger's tables. */
export interface CustomerRef {
  readonly bucket: number;
  readonly customerUid: string;
}

/** Returns the key of the customer with this uid. */
export function refOf(customerUid: string): CustomerRef {
  return { bucket: bucketOf(customerUid), customerUid };
}

/** The customer's part of the key of hot tables, 0..255: the last byte of the uid, which is random in a UUIDv7. */
export function bucketOf(customerUid: string): number {
  return Number.parseInt(customerUid.slice(-2), 16);
}

/** Returns customers as the parameters of `unnest($1::smallint[], $2::uuid[])`. */
export function refKeys(refs: readonly CustomerRef[]): [buckets: number[], customerUids: string[]] {
  return [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
}
