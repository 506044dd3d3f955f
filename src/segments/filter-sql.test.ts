import { expect, test } from "vitest";
import { parseProgramDocument, programOf } from "../program/program-document.ts";
import { filterSql } from "./filter-sql.ts";

test("a month ends where the next one begins, also where a clock change skips the first midnight of the month", () => {
  const document = { store: { time_zone: "America/Asuncion" } };
  const parsed = parseProgramDocument(document, {
    previous: null,
    spareUids: ["019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884"],
  });
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  const program = programOf(parsed.document, { version: 1, shortenedAt: null });
  const now = Temporal.Instant.from("2024-01-01T00:00:00Z");
  const edgesOf = (joinedMonth: string) => filterSql({ joinedMonth }, { program, now }).params.slice(2).map(String);
  expect(edgesOf("2023-10")).toEqual(["2023-10-01T04:00:00Z", "2023-11-01T03:00:00Z"]);
  expect(edgesOf("2023-11")[0]).toBe("2023-11-01T03:00:00Z");
});
