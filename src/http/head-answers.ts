import { Readable } from "node:stream";
import type { App } from "./app-type.ts";

/**
 * Ends the stream of an answer to HEAD, which has no body. The framework would read it to its end, so a file of the whole ledger would be made for
 * nobody: as fast as the database can, after the answer, outside every limit of downloads.
 */
export function registerHeadAnswers(app: App): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.method === "HEAD" && payload instanceof Readable) payload.destroy();
    done(null, payload);
  });
}
