import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/**
 * The listener of a test's server that reads a body or waits before it answers. A client that ends its request meanwhile, as a
 * sender does at its limit of time, is not a failure of the test; what the handler throws otherwise is one.
 */
export function asyncListener(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): RequestListener {
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!request.readableAborted) throw error;
    });
  };
}
