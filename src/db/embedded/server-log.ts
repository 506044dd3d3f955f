const SHOWN_BYTES = 2_000;
/** Written for each connection attempt while the server starts or stops; so many lines would hide the important ones. */
const WAITING =
  /FATAL: {2}the database system is (?:not yet accepting connections|starting up|in recovery mode|shutting down)$/;

/** The end of what a server wrote to its log, as a failure shows it. */
export function endOfLog(text: string): string {
  const lines = text.split("\n").filter((line) => !WAITING.test(line));
  return lines.join("\n").slice(-SHOWN_BYTES).trim();
}

/** Whether a server says that it has no room for what it must write. */
export function isDiskFull(log: string): boolean {
  return /No space left on device|Disk quota exceeded/.test(log);
}
