/** What ends the demo with its message alone: the service answered otherwise than it should. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}
