import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { publicPath } from "../http/public-path.ts";
import { type AskedFile, downloadPageOf } from "./download-page.ts";

/**
 * Leads a browser that opens the link of a file, and is refused, to a page of the dashboard: there a person signs in, reads why the file is not sent,
 * and downloads it. The session's cookie is never sent with a link from another site, such as one in a mail, so these are refused even if it exists.
 */
export function registerDownloadPage(deps: Pick<Deps, "config">, app: App): void {
  const path = publicPath(deps.config.publicUrl);
  app.addHook("onSend", async (request, reply, payload) => {
    const asked: AskedFile = { method: request.method, url: request.url, headers: request.headers };
    const page = downloadPageOf(asked, reply.statusCode, codeOf(payload));
    if (page === null) return payload;
    reply.removeHeader("content-length");
    reply.code(302).header("location", `${path}${page}`).header("content-type", "text/plain; charset=utf-8");
    return "";
  });
}

/** Returns the code of a refusal. */
function codeOf(payload: unknown): string | null {
  return /"code":"(\w+)"/.exec(typeof payload === "string" ? payload : "")?.[1] ?? null;
}
