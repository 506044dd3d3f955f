/** Returns the path below the host at which a reverse proxy serves the service: `/points` for `https://store.example/points`; empty at the root. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}

/**
 * Returns a function that removes `path` from the beginning of a request's URL, for proxies that pass it on; null if there is no path.
 * A URL that does not begin with it is returned unchanged: it came through a proxy that removed it, or from this machine.
 */
export function pathRemover(path: string): ((url: string) => string) | null {
  if (path === "") return null;
  return (url) => {
    if (!url.startsWith(path)) return url;
    const rest = url.slice(path.length);
    if (rest.startsWith("/")) return rest;
    return rest === "" || rest.startsWith("?") ? `/${rest}` : url;
  };
}

const SCHEME_AND_HOST = /^https?:\/\/[^/?]*/i;

/**
 * Returns the path and query of a request's URL that also has scheme and host, as clients write it that are set up to use a proxy. Every
 * server has to accept that form (RFC 9112, 3.2.2). Any other URL is returned unchanged.
 */
export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  const rest = url.replace(SCHEME_AND_HOST, "");
  return rest === url || rest.startsWith("/") ? rest : `/${rest}`;
}

/** Returns a function that turns a request's URL, as it was sent, into the one by which its route is found. */
export function routedPaths(publicUrl: string): (url: string) => string {
  const remove = pathRemover(publicPath(publicUrl));
  return remove === null ? originForm : (url) => remove(originForm(url));
}

/** Returns which requests ask whether the service is well, by their URL as it was sent. */
export function healthChecks(publicUrl: string): (url: string) => boolean {
  const routedPath = routedPaths(publicUrl);
  return (url) => ["/ready", "/health"].includes(routedPath(url));
}
