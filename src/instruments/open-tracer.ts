import { waitAtMost } from "../wait-at-most.ts";
import { formatTraceparent, parseTraceparent, type Span, type SpanKind, type Tracer } from "./tracer.ts";

export interface TracerSettings {
  /** The URL of an OTLP/HTTP collector to which traces are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** The share of traces begun here that is sent, 0 to 1. A trace that a caller began follows the caller's choice. */
  readonly ratio: number;
}

const QUEUE_MAX = 4_096;
const SEND_EVERY_MS = 1_000;
const SEND_MS = 5_000;
const CLOSE_MS = 2_000;

/** Opens a tracer that posts spans as OTLP/JSON. OpenTelemetry is loaded here, so that a service without traces never loads it. */
export async function openTracer(settings: TracerSettings): Promise<Tracer> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({ url: settings.url, headers: settings.headers, timeoutMillis: SEND_MS });
  const processor = new sdk.BatchSpanProcessor({
    exporter,
    maxQueueSize: QUEUE_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName, "service.version": settings.version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("pointkeeper", settings.version);
  const kinds: Readonly<Record<SpanKind, number>> = {
    server: api.SpanKind.SERVER,
    internal: api.SpanKind.INTERNAL,
    client: api.SpanKind.CLIENT,
  };
  return {
    start(name, { kind, parent, attributes = {} }): Span {
      const remote = parseTraceparent(parent);
      const context =
        remote === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...remote, isRemote: true });
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
      return {
        traceparent: formatTraceparent(span.spanContext()),
        end(more = {}, error) {
          span.setAttributes(more);
          if (error !== undefined) {
            span.setAttribute("error.type", error instanceof Error ? error.name : "error");
            span.setStatus({ code: api.SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    async close() {
      const ending = provider.shutdown().catch(() => {});
      await waitAtMost(ending, CLOSE_MS); // a collector that does not respond must not delay stopping
    },
  };
}
