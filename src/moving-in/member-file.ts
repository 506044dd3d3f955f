import type { Unreadable } from "../imports/read/splitter.ts";
import { unreadableText } from "../imports/unreadable-text.ts";
import type { Encoding, Separator } from "../wire/import-fields.ts";

/** A file that can be read again from its beginning. */
export interface MemberFile {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** How a file is parsed, and its first row. */
export interface MemberFileHead {
  readonly encoding: Encoding;
  readonly separator: Separator;
  readonly header: readonly string[];
  readonly sha256: Buffer;
  readonly lineCount: number;
}

/** A file that is not valid CSV, with the line at which parsing failed. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
  readonly reason: { readonly code: Unreadable["code"] | "not_this_encoding" | "empty"; readonly line: number };

  constructor(code: Unreadable["code"] | "not_this_encoding" | "empty", line: number) {
    super(unreadableText(code, line));
    this.reason = { code, line };
  }
}

/** An uploaded file whose bytes were removed, because a person was erased or the retention time has passed. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";

  constructor(uid: string) {
    super(`the file of import ${uid} is gone`);
  }
}
