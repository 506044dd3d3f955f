/** One fault of a refused request: its location, as a JSON pointer into the body or a parameter's name, and what was expected. */
export interface ApiFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** The code of a change that was not sent, because the browser has no connection. */
const UNSENT = "offline";
/** The code of a change whose answer did not arrive: it may have been done. */
const UNANSWERED = "unanswered";

/** A refusal of the service, or `status` 0 if it could not be reached. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly title: string;
  readonly faults: readonly ApiFault[];
  /** Seconds until another attempt can succeed. */
  readonly retryAfterS: number | null;

  constructor(status: number, title: string, faults: readonly ApiFault[] = [], retryAfterS: number | null = null) {
    super(faults[0]?.detail ?? title);
    this.status = status;
    this.title = title;
    this.faults = faults;
    this.retryAfterS = retryAfterS;
  }

  /** Returns the error of a change that certainly did not reach the service, since there was no connection. */
  static unsent(): ApiError {
    return new ApiError(0, UNSENT);
  }

  /** Returns the error of a change that was sent, and whose answer did not arrive. */
  static unanswered(): ApiError {
    return new ApiError(0, UNANSWERED);
  }

  get isUnanswered(): boolean {
    return this.status === 0 && this.title === UNANSWERED;
  }

  /** Whether the service itself refused it; otherwise something between it and the browser answered, such as a proxy. */
  get isOfService(): boolean {
    return this.title !== bareTitle(this.status);
  }

  /** Whether a field of the body has a fault; "" is the body as a whole. */
  get isOfField(): boolean {
    return this.faults.some(({ pointer = "" }) => pointer !== "");
  }

  get isUnsent(): boolean {
    return this.status === 0 && this.title === UNSENT;
  }
}

/** The title of an answer without a body of the service. */
function bareTitle(status: number): string {
  return `HTTP ${status}`;
}

interface WireError {
  readonly title?: string;
  readonly detail?: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string };
}

/** Parses the body of a refusal, `{ errors: [...] }`; for any other body only the status is used. */
export function toApiError(status: number, body: string, retryAfter: string | null): ApiError {
  const errors = wireErrors(body);
  const faults = errors.flatMap((e) => (e.detail === undefined ? [] : [{ ...e.source, detail: e.detail }]));
  const retryAfterS = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new ApiError(
    status,
    errors[0]?.title ?? bareTitle(status),
    faults,
    Number.isFinite(retryAfterS) ? retryAfterS : null,
  );
}

function wireErrors(body: string): WireError[] {
  try {
    const read: { errors?: WireError[] } = JSON.parse(body);
    return Array.isArray(read.errors) ? read.errors : [];
  } catch {
    return [];
  }
}
