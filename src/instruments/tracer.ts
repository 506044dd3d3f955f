/** What is known of a span: names and numbers of ours, never what a request or a customer brought. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is being traced. */
export interface Span {
  /** Its W3C trace context: what the next piece of work, here or elsewhere, is a child of. */
  readonly traceparent: string;
  /** Ends it. `error`: why it failed; its message is not sent, only its name. */
  end(attributes?: SpanAttributes, error?: unknown): void;
}

export type SpanKind = "server" | "internal" | "client";

export interface SpanStart {
  readonly kind: SpanKind;
  /** The trace context that it continues; absent, or none that can be read: it begins a trace. */
  readonly parent?: string | null | undefined;
  readonly attributes?: SpanAttributes;
}

/** Makes spans and sends them, in the background and bounded: what the collector does not take is dropped. */
export interface Tracer {
  start(name: string, options: SpanStart): Span;
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>;
}

/** A trace context of another process, in the parts that a span is made with. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const TRACEPARENT_LENGTH_MAX = 256;

/** Reads a header `traceparent` (W3C Trace Context, level 1); null: it is none. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (text === null || text === undefined || text.length > TRACEPARENT_LENGTH_MAX) return null;
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
