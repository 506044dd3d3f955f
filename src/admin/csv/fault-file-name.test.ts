import fc from "fast-check";
import { expect, test } from "vitest";
import { attachmentOf, faultFileName } from "./fault-file-name.ts";

const createdAt = Temporal.Instant.from("2026-03-01T16:00:00Z");
const check = { phase: "check", language: "en" } as const;

test("a file of faulty rows has the import's name and its day in the store's zone", () => {
  expect(faultFileName({ fileName: "Members March.csv", createdAt }, check, "Asia/Tokyo")).toBe(
    "Members March-2026-03-02-faulty-rows.csv",
  );
  expect(faultFileName({ fileName: "会員.CSV", createdAt }, { phase: "undo", language: "ja" }, "UTC")).toBe(
    "会員-2026-03-01-取り消せなかった行.csv",
  );
  expect(faultFileName({ fileName: ".csv", createdAt }, check, "UTC")).toBe("import-2026-03-01-faulty-rows.csv");
});

test("no name leaves its place in the header, and each is read back from it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 255 }), (fileName) => {
      const name = faultFileName({ fileName, createdAt }, check, "UTC");
      const header = attachmentOf(name);
      const [, ascii, encoded = ""] =
        /^attachment; filename="([ -~]+)"; filename\*=UTF-8''([\w.%~!-]+)$/.exec(header) ?? [];
      expect(ascii).not.toMatch(/["\\/]/);
      expect(decodeURIComponent(encoded)).toBe(name);
    }),
  );
});
