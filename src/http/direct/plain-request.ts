/** A request as read by the plain reader. */
export interface PlainRequest {
  readonly path: string;
  /** By names in lower case, each once. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bodyBytes: Buffer;
}

/** A larger one is left to the server's own parser. */
const BYTES_MAX = 16_384;
const METHOD = "POST ";
const VERSION = " HTTP/1.1\r\n";
const HEAD_END = "\r\n\r\n";
/** A name of letters, digits and hyphens, and a value of visible ASCII without spaces at its ends. */
const HEADER = /([A-Za-z][A-Za-z0-9-]*): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)\r\n/y;
const LENGTH = /^[1-9]\d{0,4}$/;
const JSON_TYPES = new Set(["application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"]);
/** Node's parser keeps the first 1,000 headers and drops the rest; no usual client sends this many. */
const HEADERS_MAX = 100;
/** Headers that change how a request is read or answered. */
const NOT_PLAIN = new Set([
  "transfer-encoding",
  "content-encoding",
  "expect",
  "upgrade",
  "http2-settings",
  "proxy-connection",
  "trailer",
  "te",
]);

/**
 * Returns a reader of the requests of one connection. It reads a POST to a path that `isKnown` accepts, which arrived in one piece, with a
 * JSON body and nothing unusual. It returns null for anything else, valid or not, which the server's own parser has to read. That parser
 * reads accepted requests in the same way (`plain-request.test.ts`). Clients repeat their heads: a head that arrived before is not parsed
 * again.
 */
export function createPlainReader(isKnown: (path: string) => boolean): (bytes: Buffer) => PlainRequest | null {
  let known: { readonly head: string; readonly of: PlainHead } | null = null;
  return (bytes) => {
    if (bytes.length > BYTES_MAX) return null;
    const text = bytes.toString("latin1");
    if (known === null || !text.startsWith(known.head)) {
      const of = readHead(text, isKnown);
      if (of === null) return null;
      known = { head: text.slice(0, of.bytes), of };
    }
    const { path, headers, bytes: start, bodyLength } = known.of;
    return start + bodyLength === bytes.length ? { path, headers, bodyBytes: bytes.subarray(start) } : null;
  };
}

interface PlainHead {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Its length, including the empty line after it. */
  readonly bytes: number;
  readonly bodyLength: number;
}

function readHead(text: string, isKnown: (path: string) => boolean): PlainHead | null {
  const pathEnd = text.startsWith(METHOD) ? text.indexOf(" ", METHOD.length) : -1;
  const path = text.slice(METHOD.length, pathEnd);
  if (pathEnd < 0 || !isKnown(path) || !text.startsWith(VERSION, pathEnd)) return null;
  const headEnd = text.indexOf(HEAD_END, pathEnd);
  if (headEnd < 0) return null;
  const headers = readHeaders(text, pathEnd + VERSION.length, headEnd + 2);
  if (headers === null || headers.host === undefined || !JSON_TYPES.has(headers["content-type"]?.toLowerCase() ?? ""))
    return null;
  const length = headers["content-length"] ?? "";
  return LENGTH.test(length) ? { path, headers, bytes: headEnd + HEAD_END.length, bodyLength: Number(length) } : null;
}

function readHeaders(text: string, start: number, end: number): Record<string, string | undefined> | null {
  const headers: Record<string, string | undefined> = Object.create(null);
  let count = 0;
  for (let at = start; at < end; at = HEADER.lastIndex) {
    if (++count > HEADERS_MAX) return null;
    HEADER.lastIndex = at;
    const [, given, value] = HEADER.exec(text) ?? [];
    const name = given?.toLowerCase();
    if (name === undefined || value === undefined || name in headers || NOT_PLAIN.has(name)) return null;
    if (name === "connection" && value.toLowerCase() !== "keep-alive") return null;
    headers[name] = value;
  }
  return headers;
}
