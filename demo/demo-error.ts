/** An unexpected response of the service. The demo ends with its message only. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}
