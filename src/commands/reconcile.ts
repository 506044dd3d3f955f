import { open } from "node:fs/promises";
import { ConfigError } from "../environment.ts";
import { INTAKE_BODY_LIMIT_BYTES } from "../http/json-body.ts";
import { type ReconcileLine, reconcileLines } from "../intake/reconcile-lines.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

/**
 * `pointkeeper reconcile <file.jsonl>` (platforms.md 4.3, rule 7): takes an export of the platform's orders and customers, or bodies of its
 * deliveries, one a line; `-` reads the standard input. 1 where a line could not be taken.
 */
export async function reconcile({ operands: [file = "-"] }: Given): Promise<number> {
  const pieces = file === "-" ? process.stdin : await openFile(file);
  const tally = await withDeps((deps) =>
    reconcileLines(deps, linesOf(pieces), (n, fault) => void process.stderr.write(`line ${n}: ${fault}\n`)),
  );
  const { lines, fresh, known, ignored, failed } = tally;
  process.stdout.write(`${lines} lines: ${fresh} new, ${known} known, ${ignored} ignored, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

async function openFile(file: string): Promise<AsyncIterable<Buffer>> {
  try {
    return (await open(file)).createReadStream();
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const NEW_LINE = 0x0a;

/** The lines of a file that are not blank. One that is longer than a body may be is skipped, not held in memory. */
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
