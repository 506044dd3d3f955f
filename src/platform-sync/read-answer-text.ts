import type { Deps } from "../deps.ts";

/** A page of a platform's orders has a few MB. */
const ANSWER_BYTES_MAX = 67_108_864;

/**
 * Reads a platform's answer as text. Throws if it is longer than any answer should be, and reads no more of it: a server that is broken or was taken
 * over could send bytes without end.
 */
export async function readAnswerText(deps: Pick<Deps, "log">, body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) {
      deps.log.warn({ bytes }, "an answer of the platform is too long, and is not read to its end");
      throw new Error("the answer is too long");
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
