import { Type } from "typebox";
import { expect, test } from "vitest";
import { expected } from "./expected.ts";

test.each([
  [Type.Integer(), "an integer"],
  [Type.Integer({ minimum: 1, maximum: 250 }), "an integer from 1 to 250"],
  [Type.Integer({ minimum: 0 }), "an integer at least 0"],
  [Type.String({ minLength: 1, maxLength: 5 }), "a string of 1 to 5 characters"],
  [Type.String({ maxLength: 5 }), "a string of at most 5 characters"],
  [Type.Union([Type.Literal("a"), Type.Literal("b")]), 'one of "a", "b"'],
  [Type.Enum(["a", "b"]), 'one of "a", "b"'],
  [Type.Union([Type.String(), Type.Null()]), "a string or null"],
  [Type.Array(Type.String(), { maxItems: 3 }), "an array of at most 3 elements"],
  [Type.Object({}), "an object"],
  [Type.Boolean({ expected: "yes or no" }), "yes or no"],
])("%j: %s", (schema, words) => {
  expect(expected(JSON.parse(JSON.stringify(schema)))).toBe(words);
});
