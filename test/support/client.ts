export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body: JSON if the response says so, otherwise its text; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape, and fails where the shape is another
  readonly body: any;
  readonly text: string;
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** A string is sent as it is, anything else as JSON; undefined sends no body. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Returns a client of the same service with another `authorization` header; null sends none. */
  as(authorization: string | null): Client;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string> | undefined;
}

export function basic(credential: { key: string; secret: string }): string {
  return `Basic ${Buffer.from(`${credential.key}:${credential.secret}`).toString("base64")}`;
}

/** Creates a client of the service at `url`. */
export function createClient(url: string, authorization: string | null): Client {
  async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body } = options;
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: bodyText(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : isJson ? JSON.parse(text) : text,
    };
  }
  return {
    request,
    get: (path, headers) => request("GET", path, { headers }),
    post: (path, body, headers) => request("POST", path, { body, headers }),
    put: (path, body, headers) => request("PUT", path, { body, headers }),
    delete: (path, body, headers) => request("DELETE", path, { body, headers }),
    as: (other) => createClient(url, other),
  };
}

function bodyText(body: unknown): string {
  if (typeof body === "string") return body;
  return JSON.stringify(body, (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
}
