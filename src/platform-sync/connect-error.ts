/** Thrown where the platform cannot be connected; the message gives the reason and what to do. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
}
