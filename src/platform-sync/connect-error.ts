/** The platform cannot be connected; the message says why and what to do. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
}
