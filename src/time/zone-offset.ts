/** A period without a clock change in a zone. Milliseconds since 1970, the end exclusive. */
interface OffsetSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
}

const NANOSECONDS_PER_MS = 1_000_000;
/** No clock change moves a local time by much more than a day. */
const CHANGE_MARGIN_MS = 2 * 86_400_000;
const SPANS_MAX = 256;

// Computing an offset is slow and the result never changes, so results are cached.
const spansByZone = new Map<string, OffsetSpan[]>();

function findSpan(timeZone: string, epochMs: number): OffsetSpan {
  let spans = spansByZone.get(timeZone);
  if (spans === undefined) {
    spans = [];
    spansByZone.set(timeZone, spans);
  }
  for (const span of spans) if (epochMs >= span.startMs && epochMs < span.endMs) return span;
  const moment = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
  // One nanosecond later, so that a change at this very moment counts as the start.
  const start = moment.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const end = moment.getTimeZoneTransition("next");
  const span = {
    startMs: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endMs: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: moment.offsetNanoseconds / NANOSECONDS_PER_MS,
  };
  if (spans.length >= SPANS_MAX) spans.length = 0;
  spans.unshift(span);
  return span;
}

/** Returns the milliseconds by which a zone's local time is ahead of UTC at an instant. */
export function offsetAt(timeZone: string, epochMs: number): number {
  return findSpan(timeZone, epochMs).offsetMs;
}

/**
 * Returns the instant (milliseconds since 1970) of a local date-time that is given as if it were UTC. Undefined within two days of a clock change;
 * there the caller uses Temporal.
 */
export function epochOfLocal(timeZone: string, localMs: number): number | undefined {
  const span = findSpan(timeZone, localMs);
  const epochMs = localMs - span.offsetMs;
  const isClear = epochMs >= span.startMs + CHANGE_MARGIN_MS && epochMs < span.endMs - CHANGE_MARGIN_MS;
  return isClear ? epochMs : undefined;
}
