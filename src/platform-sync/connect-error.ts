/** Thrown where the platform cannot be connected; the message gives the reason and what to do. */
export class ConnectError extends Error {
  override readonly name: string = "ConnectError";
}

/** The platform did not answer. Errors of the network have the codes by which a database that is away is recognised, and are not to be taken for it. */
export class PlatformAwayError extends Error {
  override readonly name = "PlatformAwayError";

  constructor(cause: unknown) {
    super(`The platform cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

/** Returns the error to throw where a request got no whole answer: the reason of the aborted signal, or that the platform is away. */
export function platformAway(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new PlatformAwayError(error);
}

/** Another `pointkeeper connect` has begun to read the same history. */
export class AnotherRunError extends ConnectError {
  override readonly name = "AnotherRunError";

  constructor() {
    super(
      "Another pointkeeper connect has begun to read the same history, and this one has ended. If this one began at an earlier date, run it again when the other has ended.",
    );
  }
}
