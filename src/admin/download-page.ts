/** The parts of a request that show whether a browser opens the link of a file. */
export interface AskedFile {
  readonly method: string;
  /** The path below the service's own, with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const API = "/admin/api";
const FILE = /(?:\.csv|\/file)$/;

/**
 * Returns the dashboard's page for a file that was refused with a status and a code, to a browser that would show the answer as a page; null: the answer is for
 * a script, or no file was requested. Browsers that do not say what they load a response for do say that they prefer HTML. The page gets no
 * status where it lets the person sign in, or complete that, first.
 */
export function downloadPageOf(
  { method, url, headers }: AskedFile,
  status: number,
  code: string | null,
): string | null {
  const [path = ""] = url.split("?", 1);
  if (status < 400 || method !== "GET" || !path.startsWith(`${API}/`) || !FILE.test(path)) return null;
  const { accept, "sec-fetch-dest": purpose = "document" } = headers;
  if (purpose !== "document" || typeof accept !== "string" || !accept.includes("text/html")) return null;
  const query = new URLSearchParams({ file: url.slice(API.length) });
  const isSignIn = status === 401 || (status === 403 && code !== "forbidden");
  if (!isSignIn) query.set("status", String(status));
  return `/admin/download?${query}`;
}
