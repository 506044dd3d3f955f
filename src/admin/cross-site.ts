const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a method changes nothing. */
export function isRead(method: string): boolean {
  return READS.has(method);
}

/** What tells where a request comes from. */
export interface RequestSource {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Why a request may come from another site's page, or null: it only reads, or it carries the dashboard's header, which no form
 * can send and no other site's script may, and the browser names no other site.
 */
export function crossSiteFault({ method, headers }: RequestSource, publicUrl: string): string | null {
  if (isRead(method)) return null;
  if (headers["x-pointkeeper-request"] !== "dashboard") {
    return "expected the header x-pointkeeper-request: dashboard";
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return "the request comes from another site";
  const { origin, host } = headers;
  if (origin === undefined) return null;
  if (typeof origin !== "string" || !URL.canParse(origin)) return "the request comes from another site";
  const isOwn = new URL(origin).host === host || origin === new URL(publicUrl).origin;
  return isOwn ? null : "the request comes from another site";
}
