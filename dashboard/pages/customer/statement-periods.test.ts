import { expect, test } from "vitest";
import { statementPeriods } from "./statement-periods.ts";

test("last month ends with its last day, also over a year's end and in a leap year", () => {
  const lastMonth = (today: string) => statementPeriods(today).find(({ name }) => name === "lastMonth");
  expect(lastMonth("2028-03-15")).toMatchObject({ from: "2028-02-01", until: "2028-02-29" });
  expect(lastMonth("2026-01-02")).toMatchObject({ from: "2025-12-01", until: "2025-12-31" });
  const [thisMonth, , thisYear, lastYear] = statementPeriods("2026-03-15");
  expect(thisMonth).toMatchObject({ from: "2026-03-01", until: "2026-03-15" });
  expect(thisYear).toMatchObject({ from: "2026-01-01", until: "2026-03-15" });
  expect(lastYear).toMatchObject({ from: "2025-01-01", until: "2025-12-31" });
});
