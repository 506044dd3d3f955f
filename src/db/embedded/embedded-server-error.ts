/** The embedded PostgreSQL cannot be used; its message says what was found and what to do. `main` prints it and exits 1. */
export class EmbeddedServerError extends Error {
  override readonly name = "EmbeddedServerError";
}
