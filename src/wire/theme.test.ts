import fc from "fast-check";
import { expect, test } from "vitest";
import { CONTRAST_MIN, contrastBetween, contrastWithWhite, shadesOf } from "./theme.ts";

/** The background of the dark scheme, on which shade 4 is used for text. */
const DARK_GROUND = "#16181c";
/** The background of a row below the pointer in the light scheme, on which links have shade 9. */
const LIGHT_HOVER = "#f1f3f7";
const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);

test.each([
  ["#ffffff", 1],
  ["#000000", 21],
  ["#777777", 4.48],
  ["#3b5bdb", 5.67],
])("white text on %s has the contrast %d", (given, expected) => {
  expect(contrastWithWhite(given)).toBeCloseTo(expected, 1);
});

test("a colour that white text can be read on can itself be read on white, darker still, and in the dark scheme", () => {
  fc.assert(
    fc.property(color, (given) => {
      fc.pre(contrastWithWhite(given) >= CONTRAST_MIN);
      const shades = shadesOf(given);
      expect(shades).toHaveLength(10);
      expect(shades[8]).toBe(given);
      expect(contrastWithWhite(shades[9] ?? "")).toBeGreaterThanOrEqual(CONTRAST_MIN);
      expect(contrastBetween(shades[9] ?? "", LIGHT_HOVER)).toBeGreaterThanOrEqual(CONTRAST_MIN);
      expect(contrastBetween(shades[4] ?? "", DARK_GROUND)).toBeGreaterThanOrEqual(CONTRAST_MIN);
    }),
  );
});
