/** One reason for which a request was refused. */
export interface ErrorDetail {
  readonly status?: string;
  /** The stable code of the refusal; older services send none. */
  readonly code?: string;
  readonly title: string;
  readonly detail?: string;
  /** The location: a JSON pointer into the body, or the name of a parameter. */
  readonly source?: { readonly pointer?: string; readonly parameter?: string };
}

export interface ErrorFields {
  readonly status: number;
  readonly code?: string | undefined;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly ErrorDetail[];
  readonly retryAfterMs?: number | undefined;
  readonly attempts: number;
  readonly cause?: unknown;
}

/** A request that was refused, or that got no response. */
export class PointkeeperError extends Error {
  override readonly name = "PointkeeperError";
  /** The HTTP status; 0 if no response came. */
  readonly status: number;
  /** The code of the refusal, `timeout` or `network_error`; undefined if the service sends none. */
  readonly code: string | undefined;
  readonly title: string;
  readonly detail: string | undefined;
  /** The id to give to the operator of the service. */
  readonly requestId: string | undefined;
  readonly errors: readonly ErrorDetail[];
  /** How long the service asked to wait; undefined if it did not. */
  readonly retryAfterMs: number | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;

  constructor(fields: ErrorFields) {
    const { status, title, detail, cause } = fields;
    const text = [status === 0 ? title : `${status} ${title}`, detail].filter((part) => part !== undefined).join(": ");
    super(text, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = fields.code;
    this.title = title;
    this.detail = detail;
    this.requestId = fields.requestId;
    this.errors = fields.errors ?? [];
    this.retryAfterMs = fields.retryAfterMs;
    this.attempts = fields.attempts;
  }
}

/** Returns the error of a response that is not a success; `text` is its body. */
export function errorOf(response: Response, text: string, attempts: number): PointkeeperError {
  const body = parsed(text);
  const errors = Array.isArray(body["errors"]) ? (body["errors"] as ErrorDetail[]) : []; // cast: the shape of interface.md 7
  const first = errors[0];
  return new PointkeeperError({
    status: response.status,
    code: textOf(first?.code) ?? textOf(body["code"]),
    title: textOf(first?.title) ?? textOf(body["title"]) ?? (response.statusText || "Request failed"),
    detail: textOf(first?.detail),
    requestId: response.headers.get("x-request-id") ?? textOf(body["request_id"]),
    errors,
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
    attempts,
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Parses `Retry-After`: seconds, or an HTTP date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
