import { expect, test } from "vitest";
import { sharedBuffersMb } from "./server-settings.ts";

const MB = 2 ** 20;

test.each([
  [512 * MB, 128],
  [2_048 * MB, 256],
  [8_192 * MB, 1_024],
  [12_000 * MB + 7, 1_500],
  [65_536 * MB, 4_096],
])("of %d bytes of memory the server caches pages in %d MB", (memoryBytes, megabytes) => {
  expect(sharedBuffersMb(memoryBytes)).toBe(megabytes);
});
