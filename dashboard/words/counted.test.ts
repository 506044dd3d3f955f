import { expect, test } from "vitest";
import { words as approvalWords } from "../pages/approvals/words.ts";
import { requestWords } from "../pages/credentials/request-words.ts";
import { moveWords } from "../pages/csv/move-words.ts";
import { words as csvWords } from "../pages/csv/words.ts";
import { ledgerWords } from "../pages/customer/ledger-words.ts";
import { words as liabilityWords } from "../pages/liability/words.ts";
import { words as messageWords } from "../pages/messages/words.ts";
import { counted } from "./counted.ts";

test("one of a thing is said in the singular, with a sign or without", () => {
  expect(["1", "+1", "−1", "-1"].map((count) => counted(count, "point"))).toEqual([
    "1 point",
    "+1 point",
    "−1 point",
    "-1 point",
  ]);
});

test("none, many and what only begins with a one is said in the plural", () => {
  expect(["0", "2", "11", "1,000", "1.5"].map((count) => counted(count, "point"))).toEqual([
    "0 points",
    "2 points",
    "11 points",
    "1,000 points",
    "1.5 points",
  ]);
  expect(counted(2, "earlier entry", "earlier entries")).toBe("2 earlier entries");
});

test("texts of pages say one of a thing in the singular", () => {
  expect(approvalWords.en.approveText("+1", "Aiko")).toContain("+1 point for Aiko");
  expect(approvalWords.en.approveImport("a.csv", "1", "0")).toContain(" 1 point added");
  expect(messageWords.en.whens.expiry_reminder("1")).toBe("1 day before points expire");
  expect(requestWords.en.unlisted("1")).toMatch(/^1 more request was counted/);
  expect(ledgerWords.en.noteHint(1)).toContain("1 character left");
  expect(ledgerWords.en.needsApprovalWith("1")).toContain("the 1 point you moved");
  for (const limit of [
    approvalWords.en.limit,
    approvalWords.en.limitOfDay,
    csvWords.en.another,
    csvWords.en.anotherOfDay,
  ])
    expect(limit("1")).toMatch(/more than 1 point\b/i);
  expect(moveWords.en.anotherOfMove("1")).toContain("more than 1 point:");
  expect(requestWords.en.what("1")).toContain("in the last 1 hour.");
  expect(liabilityWords.en.unpricedHint("1")).toMatch(/^1 point of origin sale was .* it has no part/);
});
