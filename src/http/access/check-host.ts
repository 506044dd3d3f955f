import { Problem } from "../../problems.ts";
import type { App } from "../app-type.ts";

const DASHBOARD = "/admin";
const SHOWN_MAX = 100;
/** A name of 253 characters, its final dot and a port; anybody may send more, and reading it as a name takes long. */
const HOST_MAX = 260;

/**
 * Refuses with 421 requests for the dashboard, its page and its API, under a host name that is not this service's. For a browser, another page
 * whose name points to this machine (DNS rebinding) would have the same origin and get access. Allowed names are the host of PUBLIC_URL and those
 * of the loopback, at any port.
 */
export function registerHostCheck(app: App, publicUrl: string): void {
  const own = hostOf(new URL(publicUrl).host);
  app.addHook("onRequest", (request, reply, done) => {
    const { url = request.url.split("?", 1)[0] ?? "" } = request.routeOptions; // of what no route takes, as it was asked
    if (url !== DASHBOARD && !url.startsWith(`${DASHBOARD}/`)) return done();
    const { host } = request.headers;
    if (isOwnHost(host, own)) return done();
    const name = host === undefined ? "no host" : JSON.stringify(host.slice(0, SHOWN_MAX));
    const detail =
      `expected the host of PUBLIC_URL, localhost or a loopback address, not ${name}: ` +
      "set PUBLIC_URL to the address that browsers use";
    reply.send(new Problem("misdirected_request", { faults: [{ detail }] }));
  });
}

function isOwnHost(header: string | undefined, own: string | null): boolean {
  const host = header === undefined ? null : hostOf(header);
  if (host === null) return false;
  return host === own || host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Returns the host of a `host` header as URLs write it, without port and final dot; null: it is invalid. */
function hostOf(header: string): string | null {
  if (header.length > HOST_MAX || /[/?#@\\]/.test(header)) return null;
  const url = `http://${header}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : null;
}
