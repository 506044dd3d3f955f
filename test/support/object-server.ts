import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request with a valid signature. */
export interface ObjectRequest {
  readonly method: string;
  /** The key within the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
}

/**
 * The fault of a request: a status, with a code or without one of its own, or the connection is cut before or after the work is done, or halfway
 * through the answer, or nothing is answered, or the answer comes byte by byte and never ends, or a web page answers in place of the store, as a console
 * or a proxy would.
 */
export type ObjectFault =
  | number
  | { readonly status: number; readonly code: string }
  | "cut before"
  | "cut after"
  | "cut halfway"
  | "silent"
  | "trickle"
  | "web page"
  | undefined;

/**
 * An object store with one bucket on loopback, in memory, with the subset of S3 that is needed here: put, read, list by pages and remove objects. It
 * checks every signature (AWS Signature Version 4) and the digest of every body, and refuses everything else.
 */
export interface ObjectServer {
  readonly url: string;
  readonly bucket: string;
  /** The variables that a process needs to use it. */
  readonly env: Record<string, string>;
  readonly objects: Map<string, Buffer>;
  readonly requests: ObjectRequest[];
  /** The fault of each request from now on. */
  fault: (request: ObjectRequest) => ObjectFault;
  /** Further bytes are refused, as on a full disk. */
  bytesMax: number;
  /** A missing object is answered 403, as by a store whose policy allows listings only of a prefix. */
  isMissingForbidden: boolean;
  close(): Promise<void>;
}

const REGION = "test-region-1";
const KEY_ID = "AKIDOFTHETESTS";
const SECRET = "secret/of+the=tests";
/** Few, so that listings have several pages. */
const PAGE_KEYS = 7;

export async function startObjectServer(bucket = "of-the-tests"): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>();
  const requests: ObjectRequest[] = [];
  const http = createServer((request, response) => {
    handle(server, request, response).catch((error: unknown) => void response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // cast: a TCP server that listens has one
  const url = `http://127.0.0.1:${port}`;
  const server: ObjectServer = {
    url,
    bucket,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: KEY_ID,
      AWS_SECRET_ACCESS_KEY: SECRET,
    },
    objects,
    requests,
    fault: () => undefined,
    bytesMax: Number.POSITIVE_INFINITY,
    isMissingForbidden: false,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

async function handle(server: ObjectServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const url = new URL(request.url ?? "/", server.url);
  const refusal = signatureFault(request, url, body);
  const [, bucket = "", ...rest] = decodeURIComponent(url.pathname).split("/");
  const call = { method: request.method ?? "", key: rest.join("/"), query: url.searchParams };
  if (refusal === null) server.requests.push(call);
  const fault = refusal === null ? server.fault(call) : undefined;
  if (fault === "cut before") {
    request.socket.destroy();
    return;
  }
  if (fault === "silent") return;
  const reply = replyTo(server, { ...call, bucket, refusal, fault, body, condition: request.headers["if-none-match"] });
  if (fault === "cut after") {
    request.socket.destroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  if (fault === "trickle") trickle(response);
  else if (fault === "cut halfway")
    response.write(Buffer.from(reply.body ?? "").subarray(0, 100), () => request.socket.destroy());
  else response.end(reply.body);
}

/** Sends a byte every 20 ms for as long as it is read. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(timer));
}

interface Call extends ObjectRequest {
  readonly bucket: string;
  readonly refusal: string | null;
  readonly fault: ObjectFault;
  readonly body: Buffer;
  readonly condition: string | undefined;
}

function replyTo(server: ObjectServer, call: Call): Reply {
  const { method, key, query, body, condition, refusal, fault } = call;
  const { objects } = server;
  if (refusal !== null) return refused(403, "SignatureDoesNotMatch", refusal);
  if (call.bucket !== server.bucket) return refused(404, "NoSuchBucket", "The specified bucket does not exist");
  if (fault === "web page") return { status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" };
  if (typeof fault === "number") return refused(fault, "InternalError", "of the test");
  if (typeof fault === "object") return refused(fault.status, fault.code, "of the test");
  if (method === "GET" && key === "") return list(objects, query);
  const found = objects.get(key);
  if (method === "GET" && found !== undefined) return { status: 200, body: found };
  if (method === "GET" && server.isMissingForbidden) return refused(403, "AccessDenied", "Access Denied");
  if (method === "GET") return refused(404, "NoSuchKey", "The specified key does not exist.");
  if (method === "DELETE") {
    objects.delete(key);
    return { status: 204 };
  }
  if (method !== "PUT") return refused(405, "MethodNotAllowed", method);
  if (condition === "*" && found !== undefined) return refused(412, "PreconditionFailed", "It is there.");
  const used = [...objects.values()].reduce((sum, { length }) => sum + length, 0);
  if (used + body.length > server.bytesMax) return refused(403, "QuotaExceeded", "The bucket is full.");
  objects.set(key, body);
  return { status: 200, headers: { etag: `"${createHash("md5").update(body).digest("hex")}"` } };
}

function list(objects: Map<string, Buffer>, query: URLSearchParams): Reply {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const entries = new Map<string, string>();
  for (const [key, bytes] of objects) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const shown = end < 0 ? key : key.slice(0, end + 1);
    const xml =
      end < 0
        ? `<Contents><Key>${shown}</Key><Size>${bytes.length}</Size></Contents>`
        : `<CommonPrefixes><Prefix>${shown}</Prefix></CommonPrefixes>`;
    entries.set(shown, xml);
  }
  const after = query.get("continuation-token") ?? "";
  const names = [...entries.keys()].sort().filter((name) => name > after);
  const page = names.slice(0, PAGE_KEYS);
  const isTruncated = page.length < names.length;
  const token = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  const xml = page.map((name) => entries.get(name)).join("");
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${xml}</ListBucketResult>`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function refused(status: number, code: string, message: string): Reply {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Returns how a request's signature differs from Amazon's specification; null: it is correct. */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const match = AUTHORIZATION.exec(request.headers.authorization ?? "");
  if (match === null) return "no signature";
  const [, keyId, day = "", region = "", signed = "", signature = ""] = match;
  const digest = String(request.headers["x-amz-content-sha256"]);
  const time = String(request.headers["x-amz-date"]);
  if (keyId !== KEY_ID || region !== REGION) return "another key or region";
  if (digest !== sha256(body)) return "the body is not what was signed";
  if (!time.startsWith(day) || Math.abs(Date.now() - timeOf(time)) > 900_000) return "the clock is wrong";
  const names = signed.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name)))
    return "too little is signed";
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, " ")}`),
    "",
    signed,
    digest,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (of, part) => hmac(of, part),
    `AWS4${SECRET}`,
  );
  const own = hmac(key, text);
  return timingSafeEqual(own, Buffer.from(signature, "hex")) ? null : "the signature is another one";
}

function timeOf(text: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
