import { expect, test } from "vitest";
import { circumstancesText } from "./circumstances-text.ts";
import { reviewWords } from "./review-words.ts";

test("an order of the review names its campaign and its bonus: by the id of the collection where that has no name", () => {
  const textOf = (circumstances: Parameters<typeof circumstancesText>[0]) =>
    circumstancesText(circumstances, "Today", reviewWords.en);
  const plain = { campaign: null, collection: null, collection_name: null };
  const both = { campaign: "Summer", collection: "77", collection_name: "Teas" };
  expect(textOf(plain)).toBe("Today");
  expect(textOf(both)).toBe("Today, campaign Summer, with bonus of Teas");
  expect(textOf({ ...plain, collection: "77" })).toBe("Today, with bonus of 77");
  expect(textOf({ campaign: null, collection: "77" })).toBe("Today, with bonus of 77"); // of a node of the version before
});
