import { open } from "node:fs/promises";
import { INTAKE_BODY_LIMIT_BYTES } from "../http/bodies/json-body.ts";
import { type ReconcileLine, reconcileLines } from "../intake/reconcile-lines.ts";
import type { Given } from "./command-line.ts";
import { nameUnreadable } from "./name-unreadable.ts";
import { countText, createProgress, oneLine, type Progress, print, printNote } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/**
 * `pointkeeper reconcile <file.jsonl>` (platforms.md 4.3, rule 7): reads an export of the platform's customers, products and orders, or
 * bodies of its deliveries, one per line; `-` reads the standard input. Returns 1 if a line could not be processed.
 */
export async function reconcile(given: Given): Promise<number> {
  const [file = "-"] = given.operands;
  const pieces = file === "-" ? process.stdin : await openFile(file);
  const progress = createProgress("reconciling", "lines");
  const tally = await withDeps((deps) =>
    reconcileLines(deps, counted(linesOf(pieces), progress), (n, fault) => {
      progress.end();
      printNote(oneLine(`line ${n}: ${fault}`));
    }),
  );
  progress.end();
  const { lines, fresh, known, ignored, failed } = tally;
  print(given, {
    json: { lines, new: fresh, known, ignored, failed },
    text: [`${countText(lines, "line")}: ${fresh} new, ${known} known, ${ignored} ignored, ${failed} failed`],
  });
  return failed === 0 ? 0 : 1;
}

async function openFile(file: string): Promise<AsyncIterable<Buffer>> {
  const opened = await open(file).catch(nameUnreadable(file));
  return opened.createReadStream();
}

async function* counted(lines: AsyncIterable<ReconcileLine>, progress: Progress): AsyncGenerator<ReconcileLine> {
  for await (const line of lines) {
    progress.update(line.n);
    yield line;
  }
}

const NEW_LINE = 0x0a;

/** Returns the lines of a file that are not blank. A line longer than the maximum of a body is skipped and not held in memory. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<ReconcileLine> {
  let n = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): ReconcileLine => ({ n, bytes: size > INTAKE_BODY_LIMIT_BYTES ? null : Buffer.concat(parts) });
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= INTAKE_BODY_LIMIT_BYTES) parts.push(part);
    else parts = [];
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(NEW_LINE); end !== -1; end = piece.indexOf(NEW_LINE, from)) {
      add(piece.subarray(from, end));
      const whole = line();
      if (!isBlank(whole)) yield whole;
      [n, parts, size, from] = [n + 1, [], 0, end + 1];
    }
    add(piece.subarray(from));
  }
  const last = line();
  if (!isBlank(last)) yield last;
}

function isBlank({ bytes }: ReconcileLine): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09) === true;
}
