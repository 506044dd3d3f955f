/** Thrown where the platform cannot be connected; the message gives the reason and what to do. */
export class ConnectError extends Error {
  override readonly name: string = "ConnectError";
}

/** Another `pointkeeper connect` has begun to read the same history. */
export class AnotherRunError extends ConnectError {
  override readonly name = "AnotherRunError";

  constructor() {
    super("Another pointkeeper connect has begun to read the same history: this one has ended, and that one reads on.");
  }
}
