import type { WriteStream } from "node:tty";

export interface Progress {
  tick(): void;
  /** Shows what is being waited for while there is no progress. */
  note(text: string): void;
  /** Removes the bar; the report has its data. */
  end(): void;
}

const BAR_WIDTH = 20;
const COLUMNS = 80;
const REDRAW_MS = 80;
const PLAIN_STEPS = 4;

/** Shows a bar on a terminal; elsewhere a line for every quarter. */
export function startProgress(label: string, total: number, stream: WriteStream = process.stderr): Progress {
  let done = 0;
  let drawnMs = 0;
  let notedAt = -1;
  const counts = () => `${count(done)} of ${count(total)} sent`;

  function draw(tail: string): void {
    drawnMs = performance.now();
    const filled = Math.min(BAR_WIDTH, Math.floor((BAR_WIDTH * done) / Math.max(total, 1)));
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const line = `  ${label.padEnd(12)}${bar}  ${tail}`;
    stream.write(`\r${line.slice(0, (stream.columns || COLUMNS) - 1)}\u001b[K`);
  }

  return {
    tick() {
      done += 1;
      if (stream.isTTY) {
        if (performance.now() - drawnMs > REDRAW_MS) draw(counts());
        return;
      }
      const step = Math.floor((PLAIN_STEPS * done) / total);
      if (step > Math.floor((PLAIN_STEPS * (done - 1)) / total)) stream.write(`${label}: ${counts()}\n`);
    },
    note(text) {
      if (stream.isTTY) draw(`${counts()}, ${text}`);
      else if (notedAt !== done) stream.write(`${label}: ${text}\n`);
      notedAt = done;
    },
    end() {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}

/** Formats a whole number with thousands separators. */
export function count(number: number | bigint): string {
  return (typeof number === "bigint" ? number : Math.round(number)).toLocaleString("en");
}
