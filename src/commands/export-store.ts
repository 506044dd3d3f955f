import { Readable } from "node:stream";
import { recordAction } from "../audit/record-action.ts";
import { readStoreShape } from "../backup/load-store-lines.ts";
import { storeFileSchema } from "../backup/store-file-schema.ts";
import { writeStoreLines } from "../backup/write-store-lines.ts";
import type { Given } from "./command-line.ts";
import { writeWhole } from "./export.ts";
import { createProgress, jsonText, print, printLine, printPieces } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const STDOUT = "-";

/**
 * `pointkeeper export all <file.jsonl or -> [--with-secrets]`: the complete store as JSON Lines, of one moment (docs/export-format.md). A file is
 * written under a temporary name and renamed when it is complete.
 */
export async function exportStore(given: Given): Promise<number> {
  const [file = STDOUT] = given.operands;
  const withSecrets = given.options.has("with-secrets");
  const progress = createProgress("exporting", "lines");
  const { lines, sha256 } = await withDeps(async (deps) => {
    await recordAction(deps.db, deps, {
      action: "store.exported",
      subject: { kind: "store", id: "store" },
      after: { with_secrets: withSecrets },
    });
    const { pieces, written } = writeStoreLines(deps, { withSecrets, onProgress: progress.update });
    if (file === STDOUT) await printPieces(pieces);
    else await writeWhole(pieces, file);
    return written();
  });
  progress.end();
  if (file === STDOUT) return 0;
  const total = Object.values(lines).reduce((sum, count) => sum + count, 0);
  const text = [
    `${total.toLocaleString("en")} lines were written to ${file}, SHA-256 ${sha256}.`,
    withSecrets
      ? "Sealed secrets and credentials are in it: keep it like the database, and the secret key elsewhere."
      : "Secrets, credentials and passwords are not in it.",
  ];
  print(given, { json: { file, lines, sha256, with_secrets: withSecrets }, text });
  return 0;
}

/** `pointkeeper export schema [<file or ->]`: the JSON Schema of every line of `export all`, as this release writes them. */
export async function exportSchema(given: Given): Promise<number> {
  const [file = STDOUT] = given.operands;
  const { columns } = await withDeps((deps) => readStoreShape(deps.db));
  const text = jsonText(storeFileSchema(columns), 2);
  if (file === STDOUT) printLine(text);
  else {
    await writeWhole(Readable.from([`${text}\n`]), file);
    print(given, { json: { file }, text: [`The schema was written to ${file}.`] });
  }
  return 0;
}
