import type { Page, Request } from "playwright-core";

/** What a page did since it was opened. */
export interface PageWatch {
  /** What a page must never do, in words. */
  readonly faults: string[];
  /** Requests that are not answered yet. */
  readonly inFlight: ReadonlySet<Request>;
  /** Statuses of 400 and above that a test means to be answered: forms that are refused, say. */
  readonly expected: Set<number>;
}

const CONSOLE_KINDS = new Set(["error", "warning"]);
const STATUS_MESSAGE = /^Failed to load resource: the server responded with a status of (\d+)/;
/** A request that the page itself gave up, since its answer is wanted no more. */
const GIVEN_UP = "net::ERR_ABORTED";

/**
 * Listens to what goes wrong in a page: its console (which also reports breaches of the content security policy), errors, requests. It may ask
 * its own origin, and be led to the others that are named.
 */
export function watchPage(page: Page, origin: string, others: readonly string[] = []): PageWatch {
  const faults: string[] = [];
  const inFlight = new Set<Request>();
  const expected = new Set<number>();
  page.on("console", (message) => {
    if (!CONSOLE_KINDS.has(message.type())) return;
    // What the answer's own event says is not said twice.
    if (!STATUS_MESSAGE.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    inFlight.add(request);
    const url = new URL(request.url());
    const isLed = request.isNavigationRequest() && others.includes(url.origin);
    if (url.protocol.startsWith("http") && url.origin !== origin && !isLed)
      faults.push(`asked another host: ${url.href}`);
  });
  page.on("requestfinished", (request) => inFlight.delete(request));
  page.on("requestfailed", (request) => {
    inFlight.delete(request);
    const reason = request.failure()?.errorText ?? "failed";
    if (reason !== GIVEN_UP) faults.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    const status = response.status();
    if (status >= 400 && !expected.has(status)) {
      faults.push(`${response.request().method()} ${response.url()}: ${status}`);
    }
  });
  return { faults, inFlight, expected };
}
