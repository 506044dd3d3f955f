import type { Log } from "../deps.ts";

const GAP_MS = 60_000;

interface LastLine {
  atMs: number;
  left: number;
}

const linesBy = new WeakMap<Log, Map<string, LastLine>>();

/**
 * Logs a warning that a stranger can cause at will, at most once a minute for each message and reason; `more` counts the ones that were skipped since
 * the last line. There are few reasons: words of this code, never of a request.
 */
export function logRarely(
  log: Log,
  fields: { readonly reason: string; readonly platform?: string },
  message: string,
): void {
  const lines = linesBy.get(log) ?? new Map<string, LastLine>();
  linesBy.set(log, lines);
  const key = `${message}/${fields.platform ?? ""}/${fields.reason}`;
  const last = lines.get(key);
  const nowMs = performance.now();
  if (last !== undefined && nowMs - last.atMs < GAP_MS) {
    last.left++;
    return;
  }
  lines.set(key, { atMs: nowMs, left: 0 });
  log.warn({ ...fields, ...(last === undefined || last.left === 0 ? {} : { more: last.left }) }, message);
}
