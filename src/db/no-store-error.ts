/** There is no store where the settings say; the message says where was looked and what to do. The process exits with 3. */
export class NoStoreError extends Error {
  override readonly name = "NoStoreError";
}
