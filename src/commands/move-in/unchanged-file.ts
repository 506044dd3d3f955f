import { createHash } from "node:crypto";
import { ConfigError } from "../../environment.ts";
import type { MemberFile } from "../../moving-in/member-file.ts";

/**
 * Returns a file whose every reading ends with a ConfigError if its content is not that of a digest, before anything of that reading counts. A file
 * is read once for each of its kinds, and the rows that a person has seen and confirmed are those that are imported.
 */
export function unchangedFile({ name, open }: MemberFile, sha256: Buffer): MemberFile {
  async function* read(): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const piece of open()) {
      hash.update(piece);
      yield piece;
    }
    if (!hash.digest().equals(sha256)) throw new ConfigError(changedText(name));
  }
  return { name, open: read };
}

function changedText(name: string): string {
  return `${name} has changed since this command began to read it: nothing more of it was imported. Run the command again when the file is complete; what an earlier content brought stays, and can be undone by itself.`;
}
