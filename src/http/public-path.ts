/** Where a reverse proxy puts the service below its host: `/points` of `https://store.example/points`; an empty text at the root. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}

/**
 * Returns what takes `path` off the front of a request's address, for proxies that pass it on as it was asked; null: there is none.
 * An address that does not begin with it came through a proxy that took it off, or from this machine, and stays as it is.
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

/** Returns which requests ask whether the service is well, by `url` as it is asked: with the public path, or without it. */
export function healthChecks(publicUrl: string): (url: string) => boolean {
  const remove = pathRemover(publicPath(publicUrl)) ?? ((url: string) => url);
  return (url) => ["/ready", "/health"].includes(remove(url));
}
