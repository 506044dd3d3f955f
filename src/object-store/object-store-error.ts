/** A request to a bucket that failed finally. The message contains the response but no secret. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
}

/** An object is longer than what is read of it. */
export class TooLongError extends ObjectStoreError {}
