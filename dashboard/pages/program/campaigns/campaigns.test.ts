import { expect, test } from "vitest";
import { compareCampaigns } from "./campaigns.ts";

const NOW = "2026-03-01T00:00:00Z";
const campaign = (name: string, from: string, to: string) => ({
  name,
  starts_at: `${from}T00:00:00Z`,
  ends_at: `${to}T00:00:00Z`,
});

test("what runs comes first, then what is planned, the next one first, then what is over, the latest first", () => {
  const all = [
    campaign("in December", "2026-12-01", "2026-12-10"),
    campaign("a year ago", "2025-03-01", "2025-03-08"),
    campaign("in April", "2026-04-01", "2026-04-08"),
    campaign("now", "2026-02-20", "2026-03-05"),
    campaign("in January", "2026-01-01", "2026-01-08"),
  ];
  const names = all.toSorted((a, b) => compareCampaigns(a, b, NOW)).map(({ name }) => name);
  expect(names).toEqual(["now", "in April", "in December", "in January", "a year ago"]);
});
