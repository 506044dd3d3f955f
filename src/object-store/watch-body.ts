import type { BodyPace } from "./read-body.ts";

/** So much is given to the connection at once. */
const PIECE_BYTES = 65_536;

/** The body of a request, and how far it was sent. */
export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Aborts where the body goes too slowly, or nothing answers it. */
  readonly signal: AbortSignal;
  /** How much the connection has taken. */
  taken(): number;
  /** Ends the watch: the answer has begun, or the request has failed. */
  end(): void;
}

/**
 * Returns a body that may be sent for as long as it makes progress: within each step of the pace the connection takes at least so many bytes. The answer must begin
 * within a step after the last of them, or within two where the body is longer than those of a step: the system takes up to 4 MB before it sends them.
 */
export function watchBody(bytes: Buffer, { stepMs, stepBytes }: BodyPace): WatchedBody {
  const slow = new AbortController();
  const limit = (why: string, ms: number) =>
    setTimeout(() => slow.abort(new Error(`${why} within ${ms / 1_000} s`)), ms);
  const what = `fewer than ${stepBytes} bytes were taken`;
  let timer = limit(what, stepMs);
  let at = 0;
  let stepEnd = stepBytes;
  function noteTaken(): void {
    if (at < bytes.length && at < stepEnd) return;
    clearTimeout(timer);
    stepEnd = at + stepBytes;
    timer =
      at < bytes.length ? limit(what, stepMs) : limit("no answer", bytes.length > stepBytes ? 2 * stepMs : stepMs);
  }
  const stream = new ReadableStream(
    {
      pull(controller) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        at += piece.length;
        noteTaken();
        if (piece.length > 0) controller.enqueue(new Uint8Array(piece));
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 }, // a piece is asked for when the connection has room for it
  );
  return { stream, signal: slow.signal, taken: () => at, end: () => clearTimeout(timer) };
}
