/** There is no store at the place that the settings name; the message says where it looked and what to do. The process exits with 3. */
export class NoStoreError extends Error {
  override readonly name = "NoStoreError";
}
