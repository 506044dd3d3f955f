/** Attributes of a span: names and numbers of this service, never data of a request or a customer. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A unit of work that is being traced. */
export interface Span {
  /** Its W3C trace context, the parent of the work that follows, here or elsewhere. */
  readonly traceparent: string;
  /** Ends it. `error`: why it failed; only its name is sent, not its message. */
  end(attributes?: SpanAttributes, error?: unknown): void;
}

export type SpanKind = "server" | "internal" | "client";

export interface SpanStart {
  readonly kind: SpanKind;
  /** The trace context that it continues; if absent or invalid, it begins a trace. */
  readonly parent?: string | null | undefined;
  readonly attributes?: SpanAttributes;
}

/** Creates spans and sends them in the background. The queue is limited: spans that the collector does not accept are dropped. */
export interface Tracer {
  start(name: string, options: SpanStart): Span;
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>;
}

/** A trace context of another process, in its parts. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const TRACEPARENT_LENGTH_MAX = 256;

/** Parses a `traceparent` header (W3C Trace Context, level 1); null: it is invalid. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (text === null || text === undefined || text.length > TRACEPARENT_LENGTH_MAX) return null;
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
