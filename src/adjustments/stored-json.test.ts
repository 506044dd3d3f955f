import { describe, expect, test } from "vitest";
import { filesOf, readStored, without, withUnknown } from "../../test/support/stored.ts";
import { parseProgramDocument } from "../program/program-document.ts";
import { completeProgramDocument, mergeProgramDocument } from "../program/program-merge.ts";
import { requestedFileCodec } from "./adjustment-request.ts";

describe("files that wait for approval", () => {
  test.each(filesOf("approval-file"))("%s", (name) => {
    const stored = readStored(name);
    const file = requestedFileCodec.decode(stored);
    expect(requestedFileCodec.encode(file)).toMatchObject(stored);
    expect(requestedFileCodec.decode(withUnknown(stored))).toEqual(file);
    for (const field of Object.keys(readStored("approval-file-0.1.0.json"))) {
      expect(() => requestedFileCodec.decode(without(stored, field))).toThrow(TypeError);
    }
  });
});

describe("changes of the program that wait for approval", () => {
  test.each(filesOf("approval-document"))("%s is laid over the program of every release", (name) => {
    const stored = readStored(name);
    for (const program of filesOf("program")) {
      const previous = completeProgramDocument(readStored(program));
      const parsed = parseProgramDocument(mergeProgramDocument(previous, stored), { previous, spareUids: [] });
      if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed));
      expect(parsed.document).toMatchObject(stored);
      expect(parsed.document.tiers).toEqual(previous.tiers);
    }
  });
});
