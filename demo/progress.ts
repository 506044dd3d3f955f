import type { WriteStream } from "node:tty";

export interface Progress {
  tick(): void;
  /** Says what is waited for while nothing ticks. */
  note(text: string): void;
  /** Takes the bar away; what it told stands in the report. */
  end(): void;
}

const BAR_WIDTH = 20;
const COLUMNS = 80;
const REDRAW_MS = 80;
const PLAIN_STEPS = 4;

/** A bar on a terminal; elsewhere a line for every quarter. */
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

/** A whole number with its thousands apart. */
export function count(number: number | bigint): string {
  return (typeof number === "bigint" ? number : Math.round(number)).toLocaleString("en");
}
